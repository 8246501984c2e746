//! Payins: created by the platform, confirmed or canceled by a person on the hosted page.
import { randomUUID } from 'node:crypto';
import type { Change } from '../store.ts';
import type { World } from '../world.ts';
import { moveBalance } from './balance.ts';
import { amount, count, listOf, object, readBody, text, webUri } from './body.ts';
import { centsText } from './cents.ts';
import { DAY_MS, dueIn, notDue, settingsOf } from './due.ts';
import { PaymentRefusal, REASONS, type Reason } from './errors.ts';
import { announcePayin } from './notify.ts';
import { assertMove, PAYIN_MOVES, type Payin, type PayinStatus } from './records.ts';

const EXPIRES_MS = 15 * DAY_MS;

const SHAPE = {
  code: text(),
  amount,
  description: text(250),
  items: listOf(object({ description: text(250), amount, quantity: count })),
  confirmationUri: webUri,
  cancelUri: webUri,
};

type NewPayin = ReturnType<typeof readNewPayin>;

/** Refuses invalid input before a fault applies. */
export function readNewPayin(world: World, json: string) {
  const body = readBody(json, SHAPE);
  const sum = body.items.reduce((total, item) => total + item.amount * item.quantity, 0n);
  if (sum !== body.amount)
    throw new PaymentRefusal('415903', { amount: 'is not the sum of the items' });
  if (findPayinByCode(world, body.code) !== undefined) throw new PaymentRefusal('415029');
  return body;
}

export function createPayin(world: World, body: NewPayin): Payin {
  const now = world.clock.text();
  const payin: Payin = {
    ...body,
    id: randomUUID(),
    status: 'CREATED',
    fee: feeOn(world, body.amount),
    items: body.items.map((item) => ({ ...item, id: randomUUID() })),
    createdAt: now,
    updatedAt: now,
  };
  world.store.commit([
    ['payin', payin.id, payin],
    ['payin-code', payin.code, payin.id],
    dueIn(world, 'payin', payin.id, EXPIRES_MS),
    ...recordEffect(world, payin, 'payment.payin.create'),
  ]);
  announcePayin(world, payin);
  return payin;
}

/** To the nearest cent, and never more than the payment itself. */
function feeOn(world: World, cents: bigint): bigint {
  const { payinFeeBasisPoints, payinFeeFixed } = settingsOf(world.store);
  const fee = (cents * payinFeeBasisPoints + 5_000n) / 10_000n + payinFeeFixed;
  return fee < cents ? fee : cents;
}

export function findPayin(world: World, id: string): Payin | undefined {
  return world.store.get<Payin>('payin', id);
}

export function findPayinByCode(world: World, code: string): Payin | undefined {
  const id = world.store.get<string>('payin-code', code);
  return id === undefined ? undefined : findPayin(world, id);
}

/** One attempt each: what has been confirmed or canceled stays so. */
export function checkOpen({ status }: Payin): void {
  if (status === 'CANCELED') throw new PaymentRefusal('415032');
  if (status !== 'CREATED') throw new PaymentRefusal('415030');
}

export function cancelPayin(world: World, payin: Payin, reason?: Reason): Payin {
  checkOpen(payin);
  return movePayin(world, payin, 'CANCELED', {
    changes: [notDue('payin', payin.id)],
    effect: 'payment.payin.cancel',
    reason,
  });
}

/** The person has pressed Pay: the money comes at once, or when the delay is over. */
export function confirmPayin(world: World, payin: Payin): Payin {
  checkOpen(payin);
  const { payinDelayMs } = settingsOf(world.store);
  const processing = movePayin(world, payin, 'PROCESSING', {
    changes: [dueIn(world, 'payin', payin.id, payinDelayMs)],
  });
  return payinDelayMs === 0 ? settlePayin(world, processing, 'CONFIRMED') : processing;
}

/** Ends a payin that is under way, or takes an open one through to its end. */
export function settlePayin(world: World, payin: Payin, to: 'CONFIRMED' | 'FAILED'): Payin {
  const processing =
    payin.status === 'CREATED'
      ? movePayin(world, payin, 'PROCESSING', { changes: [notDue('payin', payin.id)] })
      : payin;
  if (processing.status !== 'PROCESSING') checkOpen(processing);
  if (to === 'FAILED')
    return movePayin(world, processing, to, {
      changes: [notDue('payin', payin.id)],
      reason: REASONS.declined,
    });
  return movePayin(world, processing, to, {
    changes: [notDue('payin', payin.id), moveBalance(world.store, { available: netOf(payin) })],
    effect: 'payment.payin.confirm',
  });
}

function netOf({ amount: cents, fee }: Payin): bigint {
  return cents - fee;
}

/** The payer's bank takes the whole payment back, also out of a balance that is too low for it. */
export function reversePayin(world: World, payin: Payin): Payin {
  return movePayin(world, payin, 'REVERSED', {
    changes: [moveBalance(world.store, { available: -payin.amount })],
    effect: 'payment.payin.reverse',
    reason: REASONS.reversed,
  });
}

/** The reversal was contested with success: the payment comes again, without a second fee. */
export function reinstatePayin(world: World, payin: Payin): Payin {
  return movePayin(world, payin, 'CONFIRMED', {
    changes: [moveBalance(world.store, { available: payin.amount })],
    effect: 'payment.payin.reinstate',
  });
}

/** Its time has come. */
export function advancePayin(world: World, id: string): void {
  const payin = findPayin(world, id);
  if (payin?.status === 'CREATED') cancelPayin(world, payin, REASONS.expired);
  if (payin?.status === 'PROCESSING') settlePayin(world, payin, 'CONFIRMED');
}

/** What a change of status brings with it. */
export interface Move {
  readonly changes: readonly Change[];
  readonly effect?: string;
  readonly reason?: Reason | undefined;
}

function movePayin(world: World, payin: Payin, to: PayinStatus, move: Move): Payin {
  assertMove(PAYIN_MOVES, payin.status, to);
  const { reason: _former, ...rest } = payin;
  const next: Payin = {
    ...rest,
    status: to,
    ...(move.reason && { reason: move.reason }),
    updatedAt: world.clock.text(),
  };
  const effects = move.effect === undefined ? [] : recordEffect(world, payin, move.effect);
  world.store.commit([['payin', payin.id, next], ...move.changes, ...effects]);
  announcePayin(world, next);
  return next;
}

function recordEffect(world: World, payin: Payin, effect: string): Change[] {
  const { code, amount: cents, fee } = payin;
  const isConfirmed = effect === 'payment.payin.confirm';
  return world.journal.record({
    effect,
    code,
    amount: centsText(cents),
    ...(isConfirmed && { fee: centsText(fee) }),
  });
}
