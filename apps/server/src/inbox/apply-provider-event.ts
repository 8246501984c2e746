//! Applies one event of a provider, once: at its turn, in whatever order events come.
import { audit } from '../audit/audit-entry.ts';
import type { Observer } from '../orders/apply-escrow-event.ts';
import type { Call, ProviderActor } from '../platform/call.ts';
import { isDatabaseAway } from '../platform/database.ts';
import { type Transactor, type Tx, transact } from '../platform/transact.ts';
import type { Seal, Verdict } from '../providers/notice.ts';
import { escrowFinder } from './escrow-notices.ts';
import { type Finder, isVerdict, type Noticed } from './noticed.ts';
import { paymentFinder } from './payment-notices.ts';
import {
  EventEnded,
  type EventKey,
  type EventPlace,
  endEvent,
  matchEvent,
  noteReason,
  type ProviderEvent,
  parkEvent,
  placeCall,
  takeTurn,
  uncountTurn,
} from './provider-event.ts';

/** What of a process it takes: without providers to look at, an event waits for one that has. */
export interface Applier extends Transactor, Pick<Observer, 'engine' | 'signer'> {
  readonly network: Observer['network'] | undefined;
  readonly escrows: Observer['escrows'] | undefined;
}

const ENDED: Verdict = { kind: 'superseded', reason: 'somebody else was first' };

/** About three minutes, by the waits of `takeTurn`. Turns that told nothing come on top. */
const ATTEMPTS_MAX = 10;

/**
 * Never throws: what could not be applied now has its next turn. Undefined where this was not its
 * turn, or nobody can say what came of it.
 */
export async function applyProviderEvent(
  app: Applier,
  place: EventPlace,
  turn: { readonly isFirst?: boolean } = {},
): Promise<Verdict | undefined> {
  const finder = finderFor(app, place.provider);
  if (finder === undefined) return undefined;
  try {
    const take = (tx: Tx) => takeTurn(tx, place, turn);
    const event = await transact(app, placeCall(place), take, 'read committed');
    return event && (await applyAtTurn(app, finder, event));
  } catch (error) {
    if (error instanceof EventEnded) return ENDED;
    const { message: reason } = error as Error;
    app.log.warn({ provider: place.provider, webhookId: place.eventId, reason }, 'leave webhook');
    return undefined;
  }
}

/** A contract's notice makes us look at the network; a payment's we believe and look up later. */
function finderFor(app: Applier, provider: EventKey['provider']): Finder | undefined {
  if (provider === 'payment-provider') return paymentFinder(app);
  const { network, escrows } = app;
  if (network === undefined || escrows === undefined) return undefined;
  return escrowFinder({ ...app, network, escrows });
}

async function applyAtTurn(app: Transactor, find: Finder, event: ProviderEvent): Promise<Verdict> {
  const found = await find(event);
  if (isVerdict(found)) return conclude(app, event, null, found);
  const call = await match(app, event, found);
  const seal: Seal = (tx, as) => endEvent(tx, event, as);
  const verdict = await found.apply(call, seal).catch(failed);
  return conclude(app, { ...event, marketplace: found.marketplace }, found, verdict);
}

/** A bug may pass with the next build; one that stays is parked, and somebody looks. */
function failed(error: Error): Verdict {
  if (error instanceof EventEnded || isDatabaseAway(error)) throw error;
  return { kind: 'early', reason: error.message };
}

/** Whose it is; from then on the row is that marketplace's. */
async function match(
  app: Transactor,
  event: ProviderEvent,
  { marketplace, resourceId }: Noticed,
): Promise<Call<ProviderActor>> {
  const actor: ProviderActor = { kind: 'provider', id: event.provider, marketplace };
  const call: Call<ProviderActor> = { actor, requestId: event.requestId, idempotency: undefined };
  if (event.marketplace === null)
    await transact(app, call, (tx) => matchEvent(tx, event, resourceId), 'read committed');
  return call;
}

async function conclude(
  app: Transactor,
  event: ProviderEvent,
  about: Pick<Noticed, 'resourceType' | 'resourceId'> | null,
  verdict: Verdict,
): Promise<Verdict> {
  const { provider, eventId: webhookId, type, attempts } = event;
  const resourceId = about?.resourceId ?? null;
  const told = { provider, webhookId, type, resourceId, attempts, ...verdict };
  if (verdict.kind === 'applied' || verdict.kind === 'superseded') {
    app.log.info(told, 'apply webhook');
    return verdict;
  }
  const { reason } = verdict;
  const isOver = verdict.kind === 'wrong' || (verdict.kind === 'early' && attempts >= ATTEMPTS_MAX);
  if (!isOver) {
    app.log.debug(told, 'await webhook');
    const note = verdict.kind === 'waits' ? uncountTurn : noteReason;
    await transact(app, placeCall(event), (tx) => note(tx, event, reason), 'read committed');
    return verdict;
  }
  app.log.error(told, 'park webhook');
  await transact(app, placeCall(event), async (tx) => {
    if (!(await parkEvent(tx, event, reason)) || about === null) return;
    const { resourceType } = about;
    // What it claims to be about stays out: another marketplace may read along.
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
