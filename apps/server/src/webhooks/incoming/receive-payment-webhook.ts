//! Receives a notification of the payment provider: POST /webhooks/payment-provider.
//!
//! It is verified over its raw bytes, stored before it is acknowledged, and applied at once if
//! possible. It is acknowledged in every case: otherwise the provider would only send it again.
import type { DataOf } from '@holdfast/contract/endpoint';
import { refuse } from '@holdfast/contract/errors';
import type { surfaceA } from '@holdfast/contract/surface-a';
import { refuseField } from '@holdfast/contract/validation';
import type { Config } from '../../platform/config/config.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { ApplyResult } from '../../providers/notification.ts';
import { type Applier, applyProviderEvent } from './apply-provider-event.ts';
import { storeEvent } from './inbox.ts';
import { readPaymentBody } from './payment-body.ts';
import { isPaymentSigned, type SignedMessage } from './payment-signature.ts';

export interface PaymentReceiver extends Applier {
  readonly config: Pick<Config, 'PAYMENT_WEBHOOK_SECRET'>;
}

/** A received message, not parsed yet. */
export interface SentMessage extends SignedMessage {
  readonly requestId: string;
  /** Refuses an address that has sent too many unverified requests. */
  readonly countAddress: () => Promise<void>;
}

type Acknowledgement = DataOf<typeof surfaceA.receivePaymentWebhook>;

/** How long the sender may wait for the effect. */
const APPLY_TIMEOUT_MS = 5000;

export async function receivePaymentWebhook(
  app: PaymentReceiver,
  sent: SentMessage,
): Promise<Acknowledgement> {
  await verify(app, sent);
  const { id, text, requestId } = sent;
  const read = text.includes('\u0000') ? undefined : readPaymentBody(text, id);
  if (read === undefined) {
    const expected = 'body must be JSON with eventId, eventType and data';
    return refuseField('body', 'malformed', expected);
  }
  const { eventId, type } = read;
  const event = { provider: 'payment-provider', eventId, type } as const;
  const content = { body: text, requestId, reservedForMs: APPLY_TIMEOUT_MS };
  const stored = await storeEvent(app, { ...event, ...content });
  if (stored.kind === 'contradicted')
    app.log.error({ webhookId: eventId, requestId }, 'webhook body conflict');
  if (stored.kind !== 'new') {
    // An event that could not be applied the first time may be applicable now.
    if (stored.kind === 'repeated')
      await withTimeout(APPLY_TIMEOUT_MS, applyProviderEvent(app, stored.ref));
    return { status: 'ok', duplicate: true };
  }
  const applying = applyProviderEvent(app, stored.ref, { isFirst: true });
  const verdict = await withTimeout(APPLY_TIMEOUT_MS, applying);
  return { status: 'ok', processed: isAccepted(verdict) };
}

/** The event matches our records. One that a running operation covers is accepted too. */
function isAccepted(verdict: ApplyResult | undefined): boolean {
  return verdict !== undefined && verdict.kind !== 'early' && verdict.kind !== 'wrong';
}

async function verify({ config, clock, log }: PaymentReceiver, sent: SentMessage): Promise<void> {
  const { PAYMENT_WEBHOOK_SECRET: secrets } = config;
  if (secrets === undefined) {
    log.warn({ requestId: sent.requestId }, 'webhook signature not verified');
    return;
  }
  if (isPaymentSigned(secrets, sent, clock.now())) return;
  await sent.countAddress();
  refuse('WEBHOOK_SIGNATURE_INVALID', {});
}
