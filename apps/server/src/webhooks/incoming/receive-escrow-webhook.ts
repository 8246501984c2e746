//! Receives a notification of the escrow provider: POST /webhooks/escrow-provider.
//!
//! A signed one is stored before it is acknowledged, and applied once, now or later. An unsigned
//! one is a hint; a wrong signature is refused.
import type { DataOf } from '@holdfast/contract/endpoint';
import { refuse } from '@holdfast/contract/errors';
import type { surfaceA } from '@holdfast/contract/surface-a';
import type { Config } from '../../platform/config/config.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import { type Applier, applyProviderEvent } from './apply-provider-event.ts';
import { readEscrowBody } from './escrow-body.ts';
import { isSigned } from './escrow-signature.ts';
import { handleHint } from './hints.ts';
import { storeEvent } from './inbox.ts';

export interface Receiver extends Applier {
  readonly config: Pick<Config, 'ESCROW_WEBHOOK_SECRET'>;
}

/** A received notification, not parsed yet. */
export interface SentNotification {
  readonly requestId: string;
  readonly text: string;
  readonly signature: string | undefined;
  /** Refuses an address that has sent too many unverified requests. */
  readonly countAddress: () => Promise<void>;
}

/** The same for the first delivery and for a repeat. */
const ACKNOWLEDGED = { status: 'ok', processed: true } as const;
/** How long the sender may wait for the effect. */
const APPLY_TIMEOUT_MS = 2000;

export async function receiveEscrowWebhook(
  app: Receiver,
  sent: SentNotification,
): Promise<DataOf<typeof surfaceA.receiveEscrowWebhook>> {
  const { text, signature, requestId } = sent;
  const { ESCROW_WEBHOOK_SECRET: secret } = app.config;
  if (signature === undefined) {
    await sent.countAddress();
    const contractId = readEscrowBody(text).notification?.contractId ?? null;
    app.log.info({ requestId, contractId }, 'escrow hint received');
    // Not awaited: the response must not reveal which contracts are ours.
    if (contractId !== null) void handleHint(app, contractId, requestId);
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
    app.log.error({ webhookId: eventId, requestId }, 'webhook body conflict');
    return ACKNOWLEDGED;
  }
  await withTimeout(APPLY_TIMEOUT_MS, applyProviderEvent(app, stored.ref));
  return ACKNOWLEDGED;
}
