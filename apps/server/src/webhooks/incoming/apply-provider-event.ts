//! Applies one provider event, once: the event is claimed first, and events may come in any order.

import type { Observer } from '../../orders/notifications/apply-escrow-event.ts';
import type { Call, ProviderActor } from '../../platform/call.ts';
import { isDatabaseAway } from '../../platform/database/database.ts';
import { type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { WEBHOOK_PARKED } from '../../platform/process/alarms.ts';
import type { ApplyResult, MarkNotification } from '../../providers/notification.ts';
import type { PaymentProvider } from '../../providers/payments/payment-provider.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { escrowFinder } from './escrow-finder.ts';
import { type EventSubject, type Finder, isVerdict } from './event-subject.ts';
import {
  callFor,
  claimEvent,
  EventEnded,
  type EventKey,
  endEvent,
  type InboxRef,
  matchEvent,
  type ProviderEvent,
  parkEvent,
  recordReason,
  uncountAttempt,
} from './inbox.ts';
import { paymentFinder } from './payment-finder.ts';

/**
 * What a process needs to apply events. Without provider adapters an event waits for a process that
 * has them.
 */
export interface Applier extends Transactor, Pick<Observer, 'engine' | 'signer'> {
  readonly network: Observer['network'] | undefined;
  readonly escrows: Observer['escrows'] | undefined;
  readonly payments: PaymentProvider | undefined;
}

const ENDED: ApplyResult = { kind: 'superseded', reason: 'Already processed by another worker.' };

/** About three minutes, by the waits of `claimEvent`. Attempts during an outage are not counted. */
const ATTEMPTS_MAX = 10;

/**
 * Never throws: an event that could not be applied now gets another attempt. Undefined when the
 * event could not be claimed, or when the outcome is unknown.
 */
export async function applyProviderEvent(
  app: Applier,
  ref: InboxRef,
  options: { readonly isFirst?: boolean } = {},
): Promise<ApplyResult | undefined> {
  const finder = finderFor(app, ref.provider);
  if (finder === undefined) return undefined;
  try {
    const take = (tx: Tx) => claimEvent(tx, ref, options);
    const event = await transact(app, callFor(ref), take, 'read committed');
    return event && (await applyClaimed(app, finder, event));
  } catch (error) {
    if (error instanceof EventEnded) return ENDED;
    const { provider, eventId: webhookId } = ref;
    app.log.warn({ provider, webhookId, err: error }, 'webhook apply failed');
    return undefined;
  }
}

/**
 * A contract's notification makes us read the network. A payment's is applied also where the
 * provider's record cannot be read yet; its money then waits for the record.
 */
function finderFor(app: Applier, provider: EventKey['provider']): Finder | undefined {
  if (provider === 'payment-provider') return paymentFinder(app);
  const { network, escrows } = app;
  if (network === undefined || escrows === undefined) return undefined;
  return escrowFinder({ ...app, network, escrows });
}

async function applyClaimed(
  app: Transactor,
  find: Finder,
  event: ProviderEvent,
): Promise<ApplyResult> {
  const found = await find(event);
  if (isVerdict(found)) return conclude(app, event, null, found);
  const call = await match(app, event, found);
  const mark: MarkNotification = (tx, as) => endEvent(tx, event, as);
  const verdict = await found.apply(call, mark).catch(failed);
  return conclude(app, { ...event, marketplace: found.marketplace }, found, verdict);
}

/** The next build may fix a bug. An event that keeps failing is parked for an operator. */
function failed(error: Error): ApplyResult {
  if (error instanceof EventEnded || isDatabaseAway(error)) throw error;
  return { kind: 'early', reason: error.message };
}

/** Finds the event's marketplace; from then on the row belongs to it. */
async function match(
  app: Transactor,
  event: ProviderEvent,
  { marketplace, resourceId }: EventSubject,
): Promise<Call<ProviderActor>> {
  const actor: ProviderActor = { kind: 'provider', id: event.provider, marketplace };
  const { requestId, id: causationId } = event;
  const call: Call<ProviderActor> = { actor, requestId, idempotency: undefined, causationId };
  if (event.marketplace === null)
    await transact(app, call, (tx) => matchEvent(tx, event, resourceId), 'read committed');
  return call;
}

async function conclude(
  app: Transactor,
  event: ProviderEvent,
  about: Pick<EventSubject, 'resourceType' | 'resourceId'> | null,
  verdict: ApplyResult,
): Promise<ApplyResult> {
  const { provider, eventId: webhookId, type, attempts } = event;
  const resourceId = about?.resourceId ?? null;
  const fields = { provider, webhookId, type, resourceId, attempts, ...verdict };
  if (verdict.kind === 'applied' || verdict.kind === 'superseded') {
    app.log.info(fields, 'webhook applied');
    return verdict;
  }
  const { reason } = verdict;
  const isOver = verdict.kind === 'wrong' || (verdict.kind === 'early' && attempts >= ATTEMPTS_MAX);
  if (!isOver) {
    app.log.debug(fields, 'webhook deferred');
    const record = verdict.kind === 'waits' ? uncountAttempt : recordReason;
    await transact(app, callFor(event), (tx) => record(tx, event, reason), 'read committed');
    return verdict;
  }
  app.log.error(fields, WEBHOOK_PARKED);
  await transact(app, callFor(event), async (tx) => {
    if (!(await parkEvent(tx, event, reason)) || about === null) return;
    const { resourceType } = about;
    // The claimed resource is left out: another marketplace may read this entry.
    const after = { provider, webhookId, type };
    await audit(tx, {
      action: 'WEBHOOK_PARKED',
      resourceType,
      resourceId: about.resourceId,
      after,
      reason,
      result: 'FAILURE',
    });
  });
  return verdict;
}
