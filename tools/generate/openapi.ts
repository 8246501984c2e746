//! Turns one surface's endpoints into an OpenAPI 3.1 document.
import { APPROVAL_PENDING_STATUS, type Endpoint, errorsOf } from '@holdfast/contract/endpoint';
import { type ErrorCode, errors, statusOf } from '@holdfast/contract/errors';
import { ApprovalView } from '@holdfast/contract/records/operator-records';
import * as access from './access.ts';
import * as envelope from './envelope.ts';
import { meaningOf } from './error-advice.ts';
import { ERROR_EXAMPLES } from './error-examples.ts';
import { type Resource, resourceOf } from './resources.ts';
import { allowsNull, Components, exampleOf, type JsonSchema, plain } from './schema.ts';

export interface Surface {
  readonly name: 'a' | 'b';
  readonly title: string;
  readonly description: string;
  readonly base: string;
  readonly endpoints: readonly Endpoint[];
}

type Json = Record<string, unknown>;

export interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { name?: string; in?: string; $ref?: string }[];
  readonly responses: Readonly<Record<string, object>>;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Json>>;
}

/** Components that operations share: written once and referenced. */
interface Shared {
  readonly records: Components;
  readonly responses: Map<string, Json>;
  readonly examples: Map<string, Json>;
}

const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });

export function openApi(surface: Surface): OpenApiDocument & Json {
  const shared: Shared = { records: new Components(), responses: new Map(), examples: new Map() };
  const paths: Record<string, Record<string, Operation>> = {};
  for (const endpoint of surface.endpoints) {
    const path = paths[endpoint.path] ?? {};
    path[endpoint.method.toLowerCase()] = operation(endpoint, shared);
    paths[endpoint.path] = path;
  }
  const isA = surface.name === 'a';
  return {
    openapi: '3.1.0',
    info: {
      title: surface.title,
      version: '1.0.0',
      description: surface.description,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: surface.base }],
    tags: [...new Set(surface.endpoints.map(resourceOf))].map(tagOf),
    paths,
    components: {
      schemas: Object.fromEntries([...shared.records.schemas, ...errorSchemas(surface)]),
      responses: Object.fromEntries(shared.responses),
      examples: Object.fromEntries([...shared.examples, ...errorExamples(surface)]),
      headers: isA ? { ...envelope.HEADERS, ...envelope.KEY_HEADERS } : envelope.HEADERS,
      parameters: isA ? { ...envelope.PARAMETERS, ...access.SESSION_PARAMETERS } : {},
      securitySchemes: isA ? access.KEYS : access.TOKENS,
    },
  };
}

/** Operations are grouped as the pages are. */
function tagOf({ slug, description }: Resource): Json {
  return { name: slug, description };
}

function operation(endpoint: Endpoint, shared: Shared): Operation & Json {
  const body = requestBody(endpoint, shared);
  return {
    operationId: endpoint.id,
    tags: [resourceOf(endpoint).slug],
    summary: endpoint.summary,
    description: description(endpoint),
    security: access.security(endpoint),
    parameters: parameters(endpoint, shared),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { ...successes(endpoint, shared), ...failures(endpoint, shared) },
    ...(endpoint.origin === 'ours' ? { 'x-origin': 'beyond the specification' } : {}),
  };
}

function description(endpoint: Endpoint): string {
  const { emits } = endpoint;
  return [
    ...access.whoMayCall(endpoint),
    ...(endpoint.idempotent ? ['Accepts an Idempotency-Key.'] : []),
    ...(endpoint.bodyRead === 'none' ? ['No body is read.'] : []),
    ...(emits.length > 0 ? [`Can emit ${emits.join(', ')}.`] : []),
  ].join(' ');
}

function parameters(endpoint: Endpoint, { records }: Shared): Operation['parameters'] {
  const own = [
    ...parametersIn('path', endpoint.params, records),
    ...parametersIn('query', endpoint.query, records),
    ...parametersIn('header', endpoint.headers, records),
  ];
  if (endpoint.surface === 'b') return own;
  const common = [
    ...(endpoint.idempotent ? ['Idempotency-Key'] : []),
    'X-Request-ID',
    ...access.sessionHeaders(endpoint),
  ];
  return [...own, ...common.map((name) => reference('parameters', name))];
}

function parametersIn(
  location: 'path' | 'query' | 'header',
  schema: object | undefined,
  records: Components,
): Operation['parameters'] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = records.of(schema);
  return Object.entries(properties).map(([name, { description: means, ...part }]) => ({
    name: location === 'query' ? snakeCase(name) : name,
    in: location,
    required: required.includes(name),
    ...(means === undefined ? {} : { description: means }),
    schema: part,
  }));
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function requestBody(endpoint: Endpoint, { records }: Shared): Json | undefined {
  if (endpoint.body === undefined) return undefined;
  const schema = plain(endpoint.body);
  const isOptional = allowsNull(schema);
  const shown = isOptional ? { ...schema, type: 'object' } : schema;
  return { required: !isOptional, ...json(records.of(shown), { example: exampleOf(shown) }) };
}

function json(schema: JsonSchema, examples: Json): Json {
  return { content: { 'application/json': { schema, ...examples } } };
}

function successes(endpoint: Endpoint, shared: Shared): Record<string, Json> {
  const { status, also } = endpoint.success;
  const response = success(endpoint, shared);
  return {
    [status]: response,
    ...(also === undefined ? {} : { [also]: response }),
    ...(endpoint.secondApprover === undefined
      ? {}
      : { [APPROVAL_PENDING_STATUS]: approvalPending(endpoint, shared) }),
  };
}

/** Instead of the effect: the request waits for a second approver. */
function approvalPending(endpoint: Endpoint, shared: Shared): Json {
  const success = { status: APPROVAL_PENDING_STATUS, data: ApprovalView };
  return {
    description: 'A second operator must agree',
    headers: envelope.responseHeaders(endpoint, APPROVAL_PENDING_STATUS),
    ...enveloped({ ...endpoint, success }, shared.records.of(ApprovalView), shared),
  };
}

function success(endpoint: Endpoint, shared: Shared): Json {
  const item = shared.records.of(endpoint.success.data);
  const headers = envelope.responseHeaders(endpoint, endpoint.success.status);
  const response = { description: endpoint.summary, headers };
  switch (endpoint.rawResponse) {
    case 'redirect':
      return { ...response, headers: { ...headers, Location: envelope.LOCATION } };
    case 'event-stream':
      return { ...response, ...envelope.stream(item) };
    case 'json':
      return { ...response, ...json(item, { example: exampleOf(plain(endpoint.success.data)) }) };
    default:
      return { ...response, ...enveloped(endpoint, item, shared) };
  }
}

function enveloped(endpoint: Endpoint, item: JsonSchema, shared: Shared): Json {
  const { data, list } = endpoint.success;
  const wrap = envelope.envelopeOf(endpoint);
  const name = `${plain(data).title ?? endpoint.id}${list ? '.page' : ''}`;
  shared.examples.set(name, { value: envelope.filled(wrap, exampleOf(plain(data))) });
  const response = json(wrap(item), { examples: { success: reference('examples', name) } });
  if (endpoint.alsoCsv !== true) return response;
  return {
    content: { ...(response['content'] as Json), 'text/csv': { schema: { type: 'string' } } },
  };
}

function failures(endpoint: Endpoint, shared: Shared): Record<string, Json> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(endpoint)) {
    const status = statusOf(code, endpoint);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const name = [status, ...(endpoint.idempotent ? ['keyed'] : []), ...codes].join('.');
      shared.responses.set(name, failure(endpoint, status, codes));
      return [status, reference('responses', name)];
    }),
  );
}

function failure(endpoint: Endpoint, status: number, codes: readonly ErrorCode[]): Json {
  const schema =
    endpoint.surface === 'b' ? reference('schemas', 'Error') : envelope.failureSchema(codes);
  return {
    description: codes.map((code) => `${code}: ${meaningOf(code)}`).join('\n\n'),
    headers: envelope.responseHeaders(endpoint, status),
    ...json(schema, {
      examples: Object.fromEntries(codes.map((code) => [code, exampleFor(endpoint, code)])),
    }),
  };
}

function exampleFor(endpoint: Endpoint, code: ErrorCode): Json {
  if (endpoint.surface === 'a') return reference('examples', code);
  return { value: envelope.memberFailure(code, statusOf(code, endpoint)) };
}

function codesOf(surface: Surface): ErrorCode[] {
  return [...new Set(surface.endpoints.flatMap(errorsOf))];
}

function errorSchemas(surface: Surface): [string, JsonSchema][] {
  if (surface.name === 'b') return [['Error', envelope.MEMBER_ERROR]];
  return codesOf(surface).map((code) => [
    envelope.errorName(code),
    envelope.errorSchema(code, plain(errors[code].details)),
  ]);
}

function errorExamples(surface: Surface): [string, Json][] {
  if (surface.name === 'b') return [];
  return codesOf(surface).map((code) => [
    code,
    {
      value: envelope.failure(
        code,
        ERROR_EXAMPLES[code] ?? exampleOf(plain(errors[code].details), 'filled'),
      ),
    },
  ]);
}
