//! One api process for the event log, open to inspection; a worker is started when it is needed.
import { type Environment, openSet } from '../../tests/harness/set.ts';
import { INSPECTABLE } from '../harness/profile.ts';

export interface EventsSet extends Environment<object> {
  readonly apiPid: number;
}

export async function openEventsSet(env: Record<string, string> = {}): Promise<EventsSet> {
  const set = await openSet({
    worker: false,
    // The log alone: wallets and their network are measured elsewhere.
    sandbox: 'none',
    env: { HOLDFAST_RATE_LIMIT: 'off', ...env, ...INSPECTABLE },
  });
  return { ...set, apiPid: set.apis[0]?.pid ?? 0 };
}
