//! Envelopes and headers around data on the wire, for OpenAPI and for the pages.
import type { Endpoint } from '@holdfast/contract/endpoint';
import { type DetailsOf, type ErrorCode, errors, messageOf } from '@holdfast/contract/errors';
import { meaningOf } from './error-advice.ts';
import type { JsonSchema } from './schema.ts';

type Json = Record<string, unknown>;

const REQUEST = '3f0c1a52-6a0d-4c39-9c0e-5f7c2f7d9b11';
const NOW = '2026-03-01T12:00:00.000Z';

const closedObject = (properties: Record<string, JsonSchema>, optional: string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const META = closedObject({
  requestId: { type: ['string', 'null'] },
  timestamp: { type: 'string', format: 'date-time' },
});

const SUCCESS: JsonSchema = { const: true };

/** The envelope of one object. */
export function one(data: JsonSchema): JsonSchema {
  return closedObject({ data: closedObject({ success: SUCCESS, data }), meta: META });
}

/** The envelope of a page of a list. */
export function page(item: JsonSchema): JsonSchema {
  const data = closedObject({
    success: SUCCESS,
    data: { type: 'array', items: item },
    hasMore: { type: 'boolean' },
    nextCursor: { type: ['string', 'null'] },
  });
  return closedObject({ data, meta: META });
}

/** The envelope of Surface B. */
function member(data: JsonSchema): JsonSchema {
  return closedObject({
    code: { const: 200 },
    type: { const: 'success' },
    ok: { const: true },
    message: { type: 'string' },
    data,
  });
}

type Wrap = typeof one | typeof page | typeof member;

/** The envelope of an endpoint's responses. */
export function envelopeOf({ surface, success }: Endpoint): Wrap {
  if (surface === 'b') return member;
  return success.list ? page : one;
}

/** The same envelopes, filled with an example. */
export function filled(wrap: Wrap, example: unknown): Json {
  if (wrap === member)
    return { code: 200, type: 'success', ok: true, message: 'OK', data: example };
  const data =
    wrap === page
      ? { success: true, data: [example], hasMore: false, nextCursor: null }
      : { success: true, data: example };
  return { data, meta: { requestId: REQUEST, timestamp: NOW } };
}

/** INVALID_STATE becomes InvalidStateError, VALIDATION_ERROR becomes ValidationError. */
export function errorName(code: ErrorCode): string {
  const words = code.replace(/_ERROR$/, '').split('_');
  return `${words.map((word) => `${word[0]}${word.slice(1).toLowerCase()}`).join('')}Error`;
}

export function errorSchema(code: ErrorCode, details: JsonSchema): JsonSchema {
  const hasDetails = Object.keys(details.properties ?? {}).length > 0;
  const fields = { code: { const: code }, message: { type: 'string' } };
  const error = closedObject(hasDetails ? { ...fields, details } : fields, ['details']);
  return { ...error, description: meaningOf(code) };
}

/** The envelope of an error that has one of these codes; `code` selects the schema. */
export function failureSchema(codes: readonly ErrorCode[]): JsonSchema {
  const schemas = codes.map((code) => [code, `#/components/schemas/${errorName(code)}`] as const);
  const oneOf = schemas.map(([, $ref]) => ({ $ref }));
  const [only = {}, ...others] = oneOf;
  if (others.length === 0) return closedObject({ error: only });
  const discriminator = { propertyName: 'code', mapping: Object.fromEntries(schemas) };
  return closedObject({ error: { oneOf, discriminator } });
}

export function failure(code: ErrorCode, details: unknown): Json {
  const isBare = Object.keys(details as object).length === 0;
  const message = messageOf(code, details as DetailsOf<ErrorCode>);
  return { error: isBare ? { code, message } : { code, message, details } };
}

export const MEMBER_ERROR: JsonSchema = closedObject(
  {
    code: { type: 'integer' },
    type: { const: 'error' },
    ok: { const: false },
    message: { type: 'string' },
    data: { type: 'null' },
    errors: { type: 'array', items: { type: 'string' } },
  },
  ['errors'],
);

export function memberFailure(code: ErrorCode, status: number): Json {
  const { message } = errors[code];
  const body = { code: status, type: 'error', ok: false, message, data: null };
  return status === 422 ? { ...body, errors: [message] } : body;
}

export function stream(event: JsonSchema): Json {
  return {
    content: {
      'text/event-stream': {
        schema: {
          type: 'string',
          description:
            'Each message has id (occurredAt), event (eventType) and data (the envelope as JSON). ' +
            'A `ping` is sent every 30 seconds; `stream.reset` means that the cursor is past retention.',
        },
        'x-message': event,
      },
    },
  };
}

export const LOCATION = { required: true, schema: { type: 'string' } };

export const PARAMETERS = {
  'X-Request-ID': {
    name: 'X-Request-ID',
    in: 'header',
    required: false,
    description: 'A UUID for the response, the audit log and the events; generated when absent.',
    schema: { type: 'string', format: 'uuid' },
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'A UUID v4. The same key and body within 24 hours return the first response.',
    schema: { type: 'string', format: 'uuid' },
  },
};

const header = (description: string, type: string) => ({ description, schema: { type } });

export const HEADERS = {
  'X-Request-ID': header('The id of the request.', 'string'),
  'X-RateLimit-Limit': header('Requests per window.', 'integer'),
  'X-RateLimit-Remaining': header('Requests left in this window.', 'integer'),
  'X-RateLimit-Reset': header('When the window ends, in Unix seconds.', 'integer'),
  'Retry-After': header('Seconds to wait.', 'integer'),
  Link: header('The page of the error, as `rel="help"`.', 'string'),
};

/** On endpoints that honour an Idempotency-Key. */
export const KEY_HEADERS = {
  'X-Idempotency-Key': header('The Idempotency-Key, when it was applied.', 'string'),
  'Idempotency-Replay': header('true on a replayed response.', 'string'),
};

export function responseHeaders(endpoint: Endpoint, status: number): Json {
  const names = [
    'X-Request-ID',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    ...(endpoint.idempotent ? ['X-Idempotency-Key', 'Idempotency-Replay'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(status >= 400 ? ['Link'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
