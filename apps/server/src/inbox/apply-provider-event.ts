//! Applies one event of a provider, once: at its turn, in whatever order events come.
import type { OrderId } from '@holdfast/kernel/ids';
import { audit } from '../audit/audit-entry.ts';
import {
  applyEscrowEvent,
  type EscrowNotice,
  type Observer,
  type Seal,
  type Verdict,
} from '../orders/apply-escrow-event.ts';
import { findNoticedOrder } from '../orders/find-noticed-order.ts';
import type { Call, ProviderActor } from '../platform/call.ts';
import { isDatabaseAway } from '../platform/database.ts';
import { type Transactor, type Tx, transact } from '../platform/transact.ts';
import { readEscrowBody } from './escrow-body.ts';
import {
  EventEnded,
  type EventPlace,
  endEvent,
  matchEvent,
  noteReason,
  type ProviderEvent,
  parkEvent,
  placeCall,
  takeTurn,
} from './provider-event.ts';

/** What of a process it takes: without providers to look at, an event waits for one that has. */
export interface Applier extends Transactor, Pick<Observer, 'engine' | 'signer'> {
  readonly network: Observer['network'] | undefined;
  readonly escrows: Observer['escrows'] | undefined;
}

/** About three minutes, by the waits of `takeTurn`. */
const ATTEMPTS_MAX = 10;

/** Never throws: what could not be applied now has its next turn. */
export async function applyProviderEvent(app: Applier, place: EventPlace): Promise<void> {
  const { network, escrows } = app;
  if (network === undefined || escrows === undefined) return;
  try {
    const take = (tx: Tx) => takeTurn(tx, place);
    const event = await transact(app, placeCall(place), take, 'read committed');
    if (event !== undefined) await applyAtTurn({ ...app, network, escrows }, event);
  } catch (error) {
    if (error instanceof EventEnded) return;
    const { message: reason } = error as Error;
    app.log.warn({ provider: place.provider, webhookId: place.eventId, reason }, 'leave webhook');
  }
}

async function applyAtTurn(app: Observer, event: ProviderEvent): Promise<void> {
  const { notice } = readEscrowBody(event.body);
  if (notice === undefined)
    return conclude(app, event, null, { kind: 'wrong', reason: 'it can not be read' });
  const found = await match(app, event, notice);
  if (found === undefined)
    return conclude(app, event, null, early('neither contract nor order is known'));
  const { call, noticed, marketplace } = found;
  const seal: Seal = (tx, as) => endEvent(tx, event, as);
  const verdict = await applyEscrowEvent(app, call, noticed, notice, seal).catch(failed);
  await conclude(app, { ...event, marketplace }, noticed.orderId, verdict);
}

const early = (reason: string): Verdict => ({ kind: 'early', reason });

/** A bug may pass with the next build; one that stays is parked, and somebody looks. */
function failed(error: Error): Verdict {
  if (error instanceof EventEnded || isDatabaseAway(error)) throw error;
  return early(error.message);
}

/** Whose it is; from then on the row is that marketplace's. */
async function match(app: Observer, event: ProviderEvent, notice: EscrowNotice) {
  const noticed = await findNoticedOrder(app.pool, notice);
  if (noticed === undefined) return undefined;
  const { marketplace, orderId } = noticed;
  const actor: ProviderActor = { kind: 'provider', id: event.provider, marketplace };
  const call: Call<ProviderActor> = { actor, requestId: event.requestId, idempotency: undefined };
  if (event.marketplace === null)
    await transact(app, call, (tx) => matchEvent(tx, event, orderId), 'read committed');
  return { noticed, call, marketplace };
}

async function conclude(
  app: Observer,
  event: ProviderEvent,
  orderId: OrderId | null,
  verdict: Verdict,
): Promise<void> {
  const { provider, eventId: webhookId, type, attempts } = event;
  const told = { provider, webhookId, type, orderId, attempts, ...verdict };
  if (verdict.kind === 'applied' || verdict.kind === 'superseded') {
    app.log.info(told, 'apply webhook');
    return;
  }
  const { reason } = verdict;
  const isOver = verdict.kind === 'wrong' || (verdict.kind === 'early' && attempts >= ATTEMPTS_MAX);
  if (!isOver) {
    app.log.debug(told, 'await webhook');
    await transact(app, placeCall(event), (tx) => noteReason(tx, event, reason), 'read committed');
    return;
  }
  app.log.error(told, 'park webhook');
  await transact(app, placeCall(event), async (tx) => {
    if (!(await parkEvent(tx, event, reason)) || orderId === null) return;
    // What it claims to be about stays out: another marketplace may read along.
    const after = { provider, webhookId, type };
    await audit(tx, {
      action: 'WEBHOOK_PARKED',
      resourceId: orderId,
      after,
      reason,
      result: 'FAILURE',
    });
  });
}
