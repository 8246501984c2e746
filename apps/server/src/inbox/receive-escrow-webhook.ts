//! Takes a notice of the escrow provider: POST /webhooks/escrow-provider.
//!
//! Signed, it is stored before it is acknowledged, and applied once, now or later. Unsigned, it is
//! a hint; a wrong signature is refused.
import type { DataOf } from '@holdfast/contract/endpoint';
import { refuse } from '@holdfast/contract/errors';
import type { surfaceA } from '@holdfast/contract/surface-a';
import type { Config } from '../config.ts';
import { type Applier, applyProviderEvent } from './apply-provider-event.ts';
import { atMost } from './at-most.ts';
import { readEscrowBody } from './escrow-body.ts';
import { takeHint } from './hints.ts';
import { storeEvent } from './provider-event.ts';
import { isSigned } from './webhook-signature.ts';

export interface Receiver extends Applier {
  readonly config: Pick<Config, 'ESCROW_WEBHOOK_SECRET'>;
}

/** What came, before anybody has looked into it. */
export interface SentNotice {
  readonly requestId: string;
  readonly text: string;
  readonly signature: string | undefined;
  /** Refuses an address that has sent too much that proves nothing. */
  readonly countAddress: () => Promise<void>;
}

/** The same for the first time and for a repeat. */
const ACKNOWLEDGED = { status: 'ok', processed: true } as const;
/** As long as a sender may wait to see the effect at once. */
const APPLY_MS_MAX = 2000;

export async function receiveEscrowWebhook(
  app: Receiver,
  sent: SentNotice,
): Promise<DataOf<typeof surfaceA.receiveEscrowWebhook>> {
  const { text, signature, requestId } = sent;
  const { ESCROW_WEBHOOK_SECRET: secret } = app.config;
  if (signature === undefined) {
    await sent.countAddress();
    const contractId = readEscrowBody(text).notice?.contractId ?? null;
    app.log.info({ requestId, contractId }, 'take hint');
    // Nobody waits for it, and nobody learns from the answer which contracts are ours.
    if (contractId !== null) void takeHint(app, contractId, requestId);
    return ACKNOWLEDGED;
  }
  if (secret === undefined || !isSigned(secret, text, signature)) {
    await sent.countAddress();
    return refuse('WEBHOOK_SIGNATURE_INVALID', {});
  }
  const { eventId, type } = readEscrowBody(text);
  const event = { provider: 'escrow-provider', eventId, type } as const;
  const stored = await storeEvent(app, { ...event, body: text, requestId });
  if (stored.kind === 'contradicted') {
    app.log.error({ webhookId: eventId, requestId }, 'meet contradicting webhook');
    return ACKNOWLEDGED;
  }
  await atMost(APPLY_MS_MAX, applyProviderEvent(app, stored.place));
  return ACKNOWLEDGED;
}
