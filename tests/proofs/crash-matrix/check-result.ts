//! Checks the result of a cell: its subject, balances, external effects, addresses.
import { usdcAt } from '../../harness/sandbox.ts';
import type { Cell } from './cell.ts';
import { paymentOf } from './payment-fixture.ts';
import type { Effects, Ending, Fixture, Surroundings } from './saga-row.ts';

const STROOPS_OF_CENT = 100_000n;

export async function checkEnding(
  environment: Surroundings,
  { saga }: Pick<Cell, 'saga'>,
  fixture: Fixture,
  ending: Ending,
): Promise<string[]> {
  const found = await saga.read(environment, fixture);
  return Object.keys(ending)
    .filter((name) => found[name] !== ending[name])
    .map((name) => `${name} is ${found[name]}, not ${ending[name]}`);
}

/** Each effect happened as often as intended, and at the end the addresses match the books. */
export async function checkEffects(
  environment: Surroundings,
  { saga }: Pick<Cell, 'saga'>,
  fixture: Fixture,
  expected: Effects,
): Promise<string[]> {
  const subjectId = fixture.subjectId || (await paymentOf(environment, fixture));
  const found = await environment.journal.effectsOf(subjectId);
  const names = [...new Set([...found.keys(), ...Object.keys(expected)])];
  const wrong = names
    .filter((name) => (found.get(name) ?? 0) !== (expected[name] ?? 0))
    .map((name) => `${name} took effect ${found.get(name) ?? 0} times, not ${expected[name] ?? 0}`);
  return saga.hasAddresses ? [...wrong, ...(await checkAddresses(environment, fixture))] : wrong;
}

/** Of the saga, and where it was undone, of what follows. */
export function expectedEffects(
  { saga, milestones }: Pick<Cell, 'saga' | 'milestones'>,
  isUndone: boolean,
): Effects {
  return addUp(saga.effects(Math.max(1, milestones)), isUndone ? saga.effectsAgain : {});
}

function addUp(some: Effects, more: Effects = {}): Record<string, number> {
  const sum: Record<string, number> = { ...some };
  for (const [name, times] of Object.entries(more)) sum[name] = (sum[name] ?? 0) + times;
  return sum;
}

/** The mirror: a user's address on the network holds the balance of the books. */
export async function checkAddresses(
  environment: Surroundings,
  { userIds }: Fixture,
): Promise<string[]> {
  const { rows } = await environment.monitor.query<{
    address: string;
    booked: string;
    user_id: string;
  }>(
    `select wallet.address, wallet.user_id, sum(account.available + account.reserved) as booked
     from wallet join account on account.marketplace_id = wallet.marketplace_id
       and account.kind = 'user' and account.owner_id = wallet.user_id
     where wallet.user_id = any ($1) group by 1, 2`,
    [userIds],
  );
  const wrong: string[] =
    rows.length === userIds.length ? [] : [`${rows.length} wallets, not ${userIds.length}`];
  for (const { address, booked, user_id: userId } of rows) {
    const held = await usdcAt(environment.sandbox, address);
    if (held !== BigInt(booked) * STROOPS_OF_CENT)
      wrong.push(`the address of ${userId} holds ${held} stroops, the books ${booked}`);
  }
  return wrong;
}
