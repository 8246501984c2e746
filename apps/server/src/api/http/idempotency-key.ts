//! Reads an Idempotency-Key and fingerprints the request that came with it.
import { refuseField } from '@holdfast/contract/validation';
import { fingerprint } from '../../platform/fingerprint.ts';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && UUID_V4.test(header)) return header;
  return refuseField('Idempotency-Key', 'format', 'Idempotency-Key must be a UUID v4');
}

/** A stored hash of a secret could be guessed; and a code differs each time. */
const SECRETS: ReadonlySet<string> = new Set(['password', 'totp']);

/** Two requests with the same content are equal, in any order of their keys. */
export function requestHashOf(body: unknown, query: unknown): string {
  const content = canonical(withoutSecrets(body));
  const isQueried = Object.keys(query ?? {}).length > 0;
  return fingerprint(isQueried ? `${content}?${canonical(query)}` : content);
}

function withoutSecrets(body: unknown): unknown {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !SECRETS.has(name)));
}

function canonical(value: unknown): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const record = value as Record<string, unknown>;
  const keys = Object.keys(record).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(record[key])}`).join(',')}}`;
}
