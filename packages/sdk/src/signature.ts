//! Standard Webhooks: creates and compares the signature of a message.

const PREFIX = 'whsec_';

/** The base64 HMAC-SHA256 of `id.timestamp.body`, as it stands behind `v1,`. */
export async function signatureOf(
  secret: string,
  message: { readonly id: string; readonly timestamp: number; readonly body: Uint8Array },
): Promise<Uint8Array> {
  const { subtle } = globalThis.crypto;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', secretBytes(secret), algorithm, false, ['sign']);
  const head = new TextEncoder().encode(`${message.id}.${message.timestamp}.`);
  const signed = new Uint8Array(head.length + message.body.length);
  signed.set(head);
  signed.set(message.body, head.length);
  return new Uint8Array(await subtle.sign('HMAC', key, signed));
}

/** The bytes of `whsec_…`, which is base64. */
function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  const bytes = fromBase64(text);
  if (bytes === undefined || bytes.length === 0) {
    throw new TypeError('a webhook secret must be whsec_ followed by base64');
  }
  return bytes;
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Takes the same time wherever two of the same length differ. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at += 1) difference |= (one[at] ?? 0) ^ (other[at] ?? 0);
  return difference === 0;
}
