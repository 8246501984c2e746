//! The API reference: a page for each resource, with every endpoint, its request and its response.
import { type Endpoint, errorsOf } from '@holdfast/contract/endpoint';
import { type ErrorCode, statusOf } from '@holdfast/contract/errors';
import { SURFACE_A_BASE } from '@holdfast/contract/surface-a';
import { isForSessionsOnly, whoMayCall } from './access.ts';
import * as envelope from './envelope.ts';
import { reservation } from './error-advice.ts';
import { responseExample } from './fitting-examples.ts';
import {
  anchorOf,
  block,
  code,
  collapsible,
  fieldTable,
  json,
  paragraphs,
  slugOf,
  table,
  titleOf,
} from './markdown.ts';
import { bodyExample, pageExample } from './page-examples.ts';
import { RESOURCES, type Resource, resourceOf } from './resources.ts';
import { allowsNull, type JsonSchema, plain, rowsOf } from './schema.ts';

/** The pages by their names below docs/reference. */
export function apiPages(endpoints: readonly Endpoint[]): [string, string][] {
  return RESOURCES.flatMap((resource) => {
    const own = endpoints.filter((one) => resourceOf(one) === resource);
    if (own.length === 0) return [];
    return [[`api/${resource.slug}.md`, resourcePage(resource, own)]];
  });
}

/** Where an endpoint is described, from a page one folder below docs/reference. */
export function linkTo(endpoint: Endpoint): string {
  const { slug } = resourceOf(endpoint);
  return `[${code(pathOf(endpoint))}](../api/${slug}.md#${anchorOf(titleOf(endpoint.id))})`;
}

function pathOf({ method, path, surface }: Endpoint): string {
  return `${method} ${surface === 'a' ? SURFACE_A_BASE : ''}${path}`;
}

function resourcePage({ title, description }: Resource, endpoints: readonly Endpoint[]): string {
  const rows = endpoints.map((one) => [
    `[${code(`${one.method} ${one.path}`)}](#${anchorOf(titleOf(one.id))})`,
    one.summary,
  ]);
  return paragraphs(
    `# ${title}`,
    description,
    table(['Call', 'Does'], rows),
    ...endpoints.flatMap(endpointSection),
  );
}

function endpointSection(endpoint: Endpoint): string[] {
  const { summary, success } = endpoint;
  const statuses = [success.status, success.also ?? []].flat().join(' or ');
  return [
    `## ${titleOf(endpoint.id)}`,
    block('http', pathOf(endpoint)),
    `${summary}. ${factsOf(endpoint)}`,
    ...inputTables(endpoint),
    ...(endpoint.scope === 'signature' ? [] : [block('sh', curlOf(endpoint))]),
    ...responseOf(endpoint, statuses),
    errorsLine(endpoint),
  ];
}

function factsOf(endpoint: Endpoint): string {
  const { emits } = endpoint;
  return [
    ...whoMayCall(endpoint),
    ...(endpoint.idempotent ? ['Accepts an `Idempotency-Key`.'] : []),
    ...(emits.length > 0
      ? [
          `Can emit ${emits.map((name) => `[${code(name)}](../events.md#${anchorOf(name)})`).join(', ')}.`,
        ]
      : []),
  ].join(' ');
}

function inputTables(endpoint: Endpoint): string[] {
  const parts: [string, object | undefined][] = [
    ['In the path', endpoint.params],
    ['In the query', endpoint.query],
    ['Header', endpoint.headers],
    ['In the body', endpoint.body],
  ];
  return parts.flatMap(([title, schema]) => {
    const rows = schema === undefined ? [] : rowsOf(schema);
    return rows.length === 0 ? [] : [fieldTable(title, rows)];
  });
}

/** With the example's values in the path, so that it can be sent as it is. */
function curlOf(endpoint: Endpoint): string {
  const { method, path, params, body, surface } = endpoint;
  const named = params === undefined ? {} : (pageExample(plain(params)) as Record<string, string>);
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => named[name] ?? name);
  const needed = neededQuery(endpoint);
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$API${surface === 'a' ? SURFACE_A_BASE : ''}${url}${needed}"`,
  ];
  if (endpoint.rawResponse === 'event-stream')
    lines[0] = lines[0]?.replace('curl ', 'curl -N ') ?? '';
  lines.push(...proofOf(endpoint));
  if (body !== undefined && endpoint.bodyRead !== 'none') {
    const example = bodyExample(endpoint.id, filledBody(plain(body)));
    if (Object.keys(example).length > 0) {
      lines.push(
        `-H 'Content-Type: application/json'`,
        `-d '${JSON.stringify(example, null, 2).replaceAll('\n', '\n  ')}'`,
      );
    }
  }
  return lines.join(' \\\n  ');
}

/** How the caller authenticates. */
function proofOf(endpoint: Endpoint): string[] {
  const { scope, method, master } = endpoint;
  if (scope === 'public') return [];
  if (isForSessionsOnly(endpoint)) {
    const session = '-b "holdfast_session=$SESSION"';
    const marketplace = '-H "X-Holdfast-Marketplace: $MARKETPLACE"';
    const change = ['-H "Origin: $API"', '-H "X-Holdfast-Csrf: $CSRF"'];
    return [
      session,
      ...(scope === 'operator' ? [marketplace] : []),
      ...(method === 'GET' ? [] : change),
    ];
  }
  const isMaster = scope === 'master' || (scope === 'platform' && master === true);
  const key = scope === 'member' ? 'TOKEN' : isMaster ? 'MASTER_KEY' : 'API_KEY';
  return [`-H "Authorization: Bearer $${key}"`];
}

function neededQuery({ query }: Endpoint): string {
  if (query === undefined) return '';
  const { properties = {}, required = [] } = plain(query);
  const pairs = required.map(
    (name) => `${name}=${encodeURIComponent(String(pageExample(properties[name] ?? {}, name)))}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** A body that may be left out is shown as if it were sent. */
function filledBody(schema: JsonSchema): JsonSchema {
  return allowsNull(schema) ? { ...schema, type: 'object' } : schema;
}

function responseOf(endpoint: Endpoint, statuses: string): string[] {
  const { success, rawResponse } = endpoint;
  if (rawResponse === 'event-stream')
    return [`Returns ${statuses} and a stream, see [events](../events.md).`];
  if (rawResponse === 'redirect') return [`Returns ${statuses} with a \`Location\`.`];
  const example = responseExample(endpoint.id, plain(success.data));
  const body =
    rawResponse === 'json' ? example : envelope.filled(envelope.envelopeOf(endpoint), example);
  const fields = rowsOf(success.data).map(({ name, kind }) => [code(name), kind]);
  return [
    `Returns ${statuses}${endpoint.alsoCsv ? ', with `?format=csv` as a table' : ''}:`,
    json(body),
    ...(fields.length === 0
      ? []
      : [
          collapsible(
            success.list ? 'Fields of an item' : 'Fields of the data',
            table(['Field', 'Kind'], fields),
          ),
        ]),
  ];
}

function errorsLine(endpoint: Endpoint): string {
  const links = errorsOf(endpoint).map((name) => errorLink(name, endpoint));
  return collapsible(`Errors (${links.length})`, links.map((link) => `- ${link}`).join('\n'));
}

function errorLink(name: ErrorCode, endpoint: Endpoint): string {
  const link = `${statusOf(name, endpoint)} [${code(name)}](../errors/${slugOf(name)}.md)`;
  return [link, ...reservation(name)].join('. ');
}
