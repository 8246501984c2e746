//! Secrets of endpoints: returned once, stored sealed, opened for the moment of a signature.
import { createHmac } from 'node:crypto';
import { refuse } from '@holdfast/contract/errors';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import { randomBytes } from '@holdfast/kernel/random';
import type { KeyWrapper, WrappedKey } from '../../providers/signing/key-wrapper.ts';

const SECRET_BYTES = 32;

export interface NewSecret {
  /** The form that its owner stores. */
  readonly text: string;
  readonly sealed: WrappedKey;
}

/** Bound to its endpoint: it cannot be opened for another one. */
const contextOf = (id: WebhookEndpointId) => `webhook|${id}`;

export async function newSecret(
  keys: KeyWrapper | undefined,
  id: WebhookEndpointId,
): Promise<NewSecret> {
  if (keys === undefined)
    return refuse('SERVICE_UNAVAILABLE', { reason: 'HOLDFAST_WEBHOOK_KEYS is not set' });
  const bytes = randomBytes(SECRET_BYTES);
  try {
    const text = `whsec_${Buffer.from(bytes).toString('base64')}`;
    return { text, sealed: await keys.wrap(bytes, contextOf(id)) };
  } finally {
    bytes.fill(0);
  }
}

export function openSecret(
  keys: KeyWrapper,
  id: WebhookEndpointId,
  sealed: WrappedKey,
): Promise<Uint8Array> {
  return keys.unwrap(sealed, contextOf(id));
}

/** As Standard Webhooks has it: one signature for each secret, the newest first. */
export function signatureOf(
  secrets: readonly Uint8Array[],
  id: string,
  timestamp: string,
  body: Buffer,
): string {
  return secrets
    .map((secret) => {
      const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body);
      return `v1,${mac.digest('base64')}`;
    })
    .join(' ');
}
