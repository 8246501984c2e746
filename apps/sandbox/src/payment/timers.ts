//! Moves on by themselves what is due: looked at often, and before every answer.
import type { World } from '../world.ts';
import { type Due, type DueKind, notDue } from './due.ts';
import { advancePayin } from './payins.ts';
import { advancePayout } from './payouts.ts';
import { advanceWithdrawal } from './treasury.ts';

const LOOK_EVERY_MS = 100;

const STEPS: Readonly<Record<DueKind, (world: World, id: string) => void>> = {
  payin: advancePayin,
  payout: advancePayout,
  withdrawal: advanceWithdrawal,
};

export function startTimers(world: World): void {
  const looking = setInterval(() => {
    if (world.store.isClosed) clearInterval(looking);
    else runDue(world);
  }, LOOK_EVERY_MS).unref();
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
