//! Writes the calls of the SDK: one documented method for each endpoint, and the table of all.
import type { Endpoint, Scope } from '@holdfast/contract/endpoint';
import { type ErrorCode, errors } from '@holdfast/contract/errors';
import { plain } from './schema.ts';
import { methodOf, REFERENCES } from './sdk-names.ts';
import { wrap } from './sdk-types.ts';

/** A named type for what a request takes. */
export interface InputType {
  readonly name: string;
  readonly text: string;
  readonly used: ReadonlySet<string>;
  readonly isOptional: boolean;
}

/** The facts that an endpoint's method is written from. */
export interface Request {
  readonly endpoint: Endpoint;
  readonly params: readonly string[];
  readonly body: InputType | undefined;
  readonly query: InputType | undefined;
  readonly data: string;
  /** The named types of the response. */
  readonly names: ReadonlySet<string>;
  readonly types: readonly InputType[];
}

/** Surface B names its methods as the contract does. */
function nameOf(endpoint: Endpoint): string {
  return endpoint.surface === 'b' ? endpoint.id : methodOf(endpoint).method;
}

export function callText(request: Request, isB: boolean): string {
  const { endpoint, params, body, query, data } = request;
  const table = isB ? 'memberEndpoints' : 'endpoints';
  const args = [
    ...params.map((name) => `${name}: string`),
    ...(body === undefined ? [] : [argument('input', body)]),
    ...(query === undefined ? [] : [argument('query', query)]),
    `options: ${optionsOf(endpoint)} = {}`,
  ];
  const sent = requestText(request);
  const one = (method: string, verb: string, type: string, doc: string) =>
    `${doc}\n  ${signature(nameOf(endpoint) + method, args, type)} {\n` +
    `${callLine(verb, `${table}.${endpoint.id}`, sent)}\n  }`;
  const doc = docText(request, isB);
  if (endpoint.success.list) return one('', 'list', `List<${data}>`, doc);
  if (endpoint.secondApprover) return one('', 'decide', `DecisionCall<${data}>`, doc);
  const plainCall = one('', 'call', `Call<${data}>`, doc);
  if (!endpoint.alsoCsv) return plainCall;
  const csv = `  /** The same as a table: \`text/csv\`, piece by piece in the response body. */`;
  return `${plainCall}\n\n${one('Csv', 'csv', 'Call<Response>', csv)}`;
}

/** Only what honours a key takes one. */
function optionsOf({ idempotent }: Endpoint): string {
  return idempotent ? 'KeyedCallOptions' : 'CallOptions';
}

function argument(name: string, { name: type, isOptional }: InputType): string {
  return `${name}: ${type}${isOptional ? ' = {}' : ''}`;
}

function requestText({ endpoint, params, body, query }: Request): string {
  const filled = Object.keys(plain(endpoint.body ?? {}).properties ?? {}).filter((name) =>
    params.includes(name),
  );
  const bodyText = filled.length > 0 ? `body: { ...input, ${filled.join(', ')} }` : 'body: input';
  const parts = [
    ...(params.length === 0 ? [] : [`params: { ${params.join(', ')} }`]),
    ...(body === undefined ? [] : [bodyText]),
    ...(query === undefined ? [] : ['query']),
  ];
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

function signature(name: string, args: readonly string[], type: string): string {
  const line = `${name}(${args.join(', ')}): ${type}`;
  return line.length <= 95 ? line : `${name}(\n    ${args.join(',\n    ')},\n  ): ${type}`;
}

function callLine(verb: string, endpoint: string, request: string): string {
  const line = `    return this.client.${verb}(${endpoint}, ${request}, options);`;
  if (line.length <= 100) return line;
  return `    return this.client.${verb}(\n      ${endpoint},\n      ${request},\n      options,\n    );`;
}

function docText({ endpoint }: Request, isB: boolean): string {
  const who = WHO[endpoint.scope] ?? `scope \`${endpoint.scope}\``;
  const lines = [
    `${endpoint.summary}.`,
    '',
    `\`${endpoint.method} ${endpoint.path}\`${isB ? '' : `, ${who}`}. ${REPEATS[repeatOf(endpoint)]}`,
    ...(endpoint.secondApprover ? ['', SECOND_APPROVER[endpoint.secondApprover]] : []),
    ...refusals(endpoint),
  ];
  const text = lines.flatMap((line) => wrap(line, 92)).map((line) => `   * ${line}`.trimEnd());
  return `  /**\n${text.join('\n')}\n   */`;
}

/** Errors of its kind are the same everywhere, so only its own are listed. */
function refusals({ errors: own }: Endpoint): string[] {
  const isReserved = (code: ErrorCode) => errors[code].reserved !== undefined;
  const kinds: [string, ErrorCode[]][] = [
    ['Refused with', own.filter((code) => !isReserved(code))],
    ['Reserved:', own.filter(isReserved)],
  ];
  const sentences = kinds
    .filter(([, codes]) => codes.length > 0)
    .map(([word, codes]) => `${word} ${codes.map((code) => `\`${code}\``).join(', ')}.`);
  return sentences.length === 0 ? [] : ['', sentences.join(' ')];
}

const WHO: Partial<Record<Scope, string>> = {
  any: 'any key',
  session: 'any signed-in operator',
  platform: 'a platform admin who has signed in, or the master key',
  operator: 'an operator who has signed in',
};

const SECOND_APPROVER = {
  always: 'For a signed-in operator: await its `outcome()`, a second approver is required.',
  'above-limit':
    'For a signed-in operator: await its `outcome()`, large amounts need a second approver.',
  increase:
    'For a signed-in platform admin: await its `outcome()`, more than before needs another one.',
} as const;

type Repeat = 'always' | 'keyed' | 'referenced' | 'refused';

const REPEATS: Readonly<Record<Repeat, string>> = {
  always: 'Retried automatically when the response is lost.',
  keyed: 'Retried automatically under one Idempotency-Key when the response is lost.',
  referenced: 'Retried automatically when the response is lost and the body has a reference.',
  refused: 'Not retried when the response is lost: check first.',
};

function repeatOf(endpoint: Endpoint): Repeat {
  if (endpoint.method === 'GET') return 'always';
  if (endpoint.idempotent) return 'keyed';
  return Object.hasOwn(REFERENCES, endpoint.id) ? 'referenced' : 'refused';
}

/** Every endpoint in a row: where it is, and what the contract says of repeating it. */
export function endpointsFile(endpoints: readonly Endpoint[], name: string): string {
  const rows = endpoints.map((endpoint) => {
    const { id, method, path, success, scope } = endpoint;
    const reference = REFERENCES[id];
    const cursor = success.list ? cursorOf(endpoint) : undefined;
    const facts = [
      `id: '${id}'`,
      `method: '${method}'`,
      `path: '${path}'`,
      `scope: '${scope}'`,
      `repeat: '${repeatOf(endpoint)}'`,
      ...(reference === undefined ? [] : [`reference: '${reference}'`]),
      ...(cursor === undefined ? [] : [`cursor: '${cursor}'`]),
    ];
    return `  ${id}: { ${facts.join(', ')} },`;
  });
  return `import type { EndpointFacts } from '#endpoint';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const ${name} = {
${rows.join('\n')}
} as const satisfies Readonly<Record<string, EndpointFacts>>;`;
}

/** Lists have a cursor; only the name of its parameter differs. */
function cursorOf(endpoint: Endpoint): string {
  const { properties = {} } = plain(endpoint.query ?? {});
  return Object.hasOwn(properties, 'cursor') ? 'cursor' : 'after';
}
