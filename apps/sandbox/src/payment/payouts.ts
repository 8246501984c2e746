//! Payouts: created, committed, then completed by timers.
import { randomUUID } from 'node:crypto';
import type { Change } from '../store.ts';
import type { World } from '../world.ts';
import { balanceOf, moveBalance } from './balance.ts';
import {
  amount,
  amountOrZero,
  email,
  flag,
  malformed,
  object,
  optional,
  readBody,
  text,
} from './body.ts';
import { centsText } from './cents.ts';
import { DAY_MS, dueIn, notDue, settingsOf } from './due.ts';
import { PaymentRefusal, REASONS, type Reason } from './errors.ts';
import { announcePayout } from './notify.ts';
import type { Move } from './payins.ts';
import { assertMove, PAYOUT_MOVES, type Payout, type PayoutStatus } from './records.ts';
import { isNamed, recipientOf } from './users.ts';

export const CANCEL_PENDING_AFTER_DAYS = 90;

const SHAPE = {
  airtmUserEmail: optional(email),
  bankAccount: optional(object({ ref: text() })),
  amount,
  notes: text(),
  code: optional(text()),
  commit: optional(flag),
  enterpriseFee: optional(amountOrZero),
  internalNote: optional(text()),
  requireIdVerified: optional(flag),
};

type NewPayout = ReturnType<typeof readNewPayout>;

/** Refuses invalid input before a fault applies. */
export function readNewPayout(world: World, json: string) {
  const body = readBody(json, SHAPE);
  const { airtmUserEmail, bankAccount, enterpriseFee = 0n } = body;
  if ((airtmUserEmail === undefined) === (bankAccount === undefined))
    malformed('airtmUserEmail', 'or bankAccount must be given, and not both');
  if (enterpriseFee >= body.amount) malformed('enterpriseFee', 'must be less than amount');
  if (body.code !== undefined && findPayoutByCode(world, body.code) !== undefined)
    throw new PaymentRefusal('415056');
  const recipient =
    airtmUserEmail === undefined
      ? { bankRef: bankAccount?.ref ?? '' }
      : recipientOf(airtmUserEmail);
  if (isNamed(recipient, 'inactive')) throw new PaymentRefusal('415060');
  if (body.commit === true) checkBalance(world, body.amount);
  return { ...body, enterpriseFee, recipient };
}

export function createPayout(world: World, body: NewPayout): Payout {
  const { code, internalNote } = body;
  const now = world.clock.text();
  const payout: Payout = {
    id: randomUUID(),
    ...(code !== undefined && { code }),
    status: 'CREATED',
    recipient: body.recipient,
    gross: body.amount,
    enterpriseFee: body.enterpriseFee,
    notes: body.notes,
    ...(internalNote !== undefined && { internalNote }),
    requireIdVerified: body.requireIdVerified ?? false,
    events: [{ id: randomUUID(), previousStatus: null, newStatus: 'CREATED', createdAt: now }],
    createdAt: now,
    updatedAt: now,
  };
  world.store.commit([
    ['payout', payout.id, payout],
    ...(code === undefined ? [] : [['payout-code', code, payout.id] as const]),
    ...recordEffect(world, payout, 'payment.payout.create'),
  ]);
  announcePayout(world, payout);
  return body.commit === true ? commitPayout(world, payout) : payout;
}

export function findPayout(world: World, id: string): Payout | undefined {
  return world.store.get<Payout>('payout', id);
}

export function findPayoutByCode(world: World, code: string): Payout | undefined {
  const id = world.store.get<string>('payout-code', code);
  return id === undefined ? undefined : findPayout(world, id);
}

export function checkCommit(world: World, { status, gross }: Payout): void {
  if (status !== 'CREATED') throw new PaymentRefusal('415027');
  checkBalance(world, gross);
}

/** Takes the money; what follows is due at once, also if the process ends right here. */
export function commitPayout(world: World, payout: Payout): Payout {
  checkCommit(world, payout);
  const { id, gross } = payout;
  const committed = movePayout(world, payout, 'COMMITTED', {
    changes: [
      moveBalance(world.store, { available: -gross, pending: gross }),
      dueIn(world, 'payout', id, 0),
    ],
    effect: 'payment.payout.commit',
  });
  return send(world, committed);
}

export function checkCancel({ status }: Payout): void {
  const isOpen = status === 'CREATED' || status === 'PENDING' || status === 'PENDING_USER_ACTION';
  if (!isOpen) throw new PaymentRefusal('415055');
}

export function cancelPayout(world: World, payout: Payout, reason?: Reason): Payout {
  checkCancel(payout);
  const { id, gross } = payout;
  const wasTaken = payout.status !== 'CREATED';
  return movePayout(world, payout, 'CANCELED', {
    changes: [
      notDue('payout', id),
      ...(wasTaken ? [moveBalance(world.store, { available: gross, pending: -gross })] : []),
    ],
    effect: 'payment.payout.cancel',
    reason,
  });
}

/** The end of a payout that is on its way. */
export function settlePayout(world: World, payout: Payout, to: 'COMPLETED' | 'FAILED'): Payout {
  const { id, gross } = payout;
  if (to === 'FAILED')
    return movePayout(world, payout, to, {
      changes: [
        notDue('payout', id),
        moveBalance(world.store, { available: gross, pending: -gross }),
      ],
      effect: 'payment.payout.fail',
      reason: REASONS.notDelivered,
    });
  return movePayout(world, payout, to, {
    changes: [notDue('payout', id), moveBalance(world.store, { pending: -gross })],
    effect: 'payment.payout.complete',
  });
}

/** The recipient's bank sends a completed payout back. */
export function returnPayout(world: World, payout: Payout): Payout {
  return movePayout(world, payout, 'FAILED', {
    changes: [moveBalance(world.store, { available: payout.gross })],
    effect: 'payment.payout.return',
    reason: REASONS.returned,
  });
}

/** Its time has come. */
export function advancePayout(world: World, id: string): void {
  const payout = findPayout(world, id);
  if (payout?.status === 'COMMITTED') send(world, payout);
  if (payout?.status === 'PENDING')
    settlePayout(
      world,
      payout,
      payout.outcome ?? (isNamed(payout.recipient, 'fails') ? 'FAILED' : 'COMPLETED'),
    );
  if (payout?.status === 'PENDING_USER_ACTION') cancelPayout(world, payout);
}

function send(world: World, payout: Payout): Payout {
  const { id, outcome } = payout;
  const waitsFor = outcome === undefined ? recipientHasTo(payout) : undefined;
  if (waitsFor !== undefined)
    return movePayout(world, payout, 'PENDING_USER_ACTION', {
      changes: [dueIn(world, 'payout', id, CANCEL_PENDING_AFTER_DAYS * DAY_MS)],
      reason: waitsFor,
    });
  const { payoutDelayMs } = settingsOf(world.store);
  // A decision of control takes effect, also where no timer moves the payout.
  const delayMs = outcome === undefined ? payoutDelayMs : (payoutDelayMs ?? 0);
  return movePayout(world, payout, 'PENDING', { changes: [dueIn(world, 'payout', id, delayMs)] });
}

/** A recipient without an account can still be paid: the money waits for them. */
function recipientHasTo({ recipient, requireIdVerified }: Payout): Reason | undefined {
  if (isNamed(recipient, 'signup', 'unknown', 'missing')) return REASONS.awaitsAccount;
  if (requireIdVerified && isNamed(recipient, 'unverified')) return REASONS.awaitsVerification;
  return undefined;
}

function checkBalance(world: World, cents: bigint): void {
  const { available } = balanceOf(world.store);
  if (available < cents) throw new PaymentRefusal('415016', { available: centsText(available) });
}

function movePayout(world: World, payout: Payout, to: PayoutStatus, move: Move): Payout {
  assertMove(PAYOUT_MOVES, payout.status, to);
  const now = world.clock.text();
  const why = move.reason && { reason: move.reason };
  const event = { id: randomUUID(), previousStatus: payout.status, newStatus: to, createdAt: now };
  const { reason: _former, ...rest } = payout;
  const next: Payout = {
    ...rest,
    status: to,
    ...why,
    events: [...payout.events, { ...event, ...why }],
    updatedAt: now,
  };
  const effects = move.effect === undefined ? [] : recordEffect(world, payout, move.effect);
  world.store.commit([['payout', payout.id, next], ...move.changes, ...effects]);
  announcePayout(world, next);
  return next;
}

function recordEffect(world: World, { code, gross }: Payout, effect: string): Change[] {
  return world.journal.record({
    effect,
    ...(code !== undefined && { code }),
    amount: centsText(gross),
  });
}
