//! The recovery of the database, and the time that it waits for.
import { call, type Fields } from '../../../harness/api.ts';
import { advanceClock } from '../../../harness/sandbox.ts';
import { type Case, until } from '../situation.ts';

export async function readRecovery({ set }: Case): Promise<Fields> {
  const { api, masterKey: apiKey } = set.set.ready;
  const { data } = await call({ api, apiKey }, { path: '/recovery' });
  return (data ?? {}) as Fields;
}

/** Lets the minutes pass after which nothing is on its way to the network any more. */
export async function passValidity(one: Case, seconds: number): Promise<void> {
  await until(async () => {
    const { steps = [] } = await readRecovery(one);
    return (steps as { name: string }[]).some(({ name }) => name === 'wait');
  });
  await advanceClock(one.set.sandbox, seconds);
}
