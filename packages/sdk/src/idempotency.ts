//! Idempotency keys: the service takes a UUID v4; this derives one from any text of the caller.

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * A UUID as it is; any other text by its hash, together with what is called, so that the same cart
 * can be the key of a top-up and of a withdrawal. The same text gives the same key everywhere.
 */
export async function keyFrom(text: string, operation: string): Promise<string> {
  if (UUID_V4.test(text)) return text;
  const bytes = new TextEncoder().encode(`${operation}\n${text}`);
  const hash = new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', bytes));
  const hex = [...hash.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = '89ab'[(hash[8] ?? 0) & 3];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

export function newKey(): string {
  return globalThis.crypto.randomUUID();
}
