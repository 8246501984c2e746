//! Runs transitions that are due: on a short timer, and before every response.
import type { World } from '../world.ts';
import { type Due, type DueKind, notDue } from './due.ts';
import { advancePayin } from './payins.ts';
import { advancePayout } from './payouts.ts';
import { advanceWithdrawal } from './treasury.ts';

const POLL_INTERVAL_MS = 100;

const STEPS: Readonly<Record<DueKind, (world: World, id: string) => void>> = {
  payin: advancePayin,
  payout: advancePayout,
  withdrawal: advanceWithdrawal,
};

export function startTimers(world: World): void {
  const timer = setInterval(() => {
    if (world.store.isClosed) clearInterval(timer);
    else runDue(world);
  }, POLL_INTERVAL_MS).unref();
}

/** In the order of their due times, until nothing is left that is due now. */
export function runDue(world: World): void {
  for (let due = next(world); due !== undefined; due = next(world)) {
    const { kind, id } = due;
    try {
      STEPS[kind](world, id);
    } catch (error) {
      process.stderr.write(`sandbox: ${kind} ${id}: ${(error as Error).stack}\n`);
    }
    // A step that left its due time as it was would be due for ever.
    if (world.store.get<Due>('payment-due', `${kind}.${id}`) === due)
      world.store.commit([notDue(kind, id)]);
  }
}

function next(world: World): Due | undefined {
  const now = world.clock.now();
  let first: Due | undefined;
  for (const due of world.store.all<Due>('payment-due'))
    if (due.at <= now && (first === undefined || due.at < first.at)) first = due;
  return first;
}
