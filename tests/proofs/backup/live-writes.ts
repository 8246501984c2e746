//! Clients that credit users while the backup runs and after it. They know what was acknowledged
//! before a moment, and what was sent only after it.
import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, isGood, poster } from '../../harness/api.ts';
import { inLanes } from '../../harness/lanes.ts';
import { createUser } from '../../harness/people.ts';
import type { OpenSet } from '../../harness/set.ts';

interface Write {
  readonly requestId: string;
  readonly userId: string;
  readonly sentAt: number;
  /** Undefined if it was not acknowledged. */
  readonly acknowledgedAt: number | undefined;
}

export interface LiveWrites {
  readonly writes: readonly Write[];
  stop(): Promise<void>;
}

const USERS = 20;
const LANES = 4;
const PAUSE_MS = 20;
const AMOUNT = '0.01';

export async function startWrites(set: OpenSet): Promise<LiveWrites> {
  const target = { api: set.api, apiKey: set.apiKey };
  const users: string[] = [];
  await inLanes(Array.from({ length: USERS }), 4, async () => {
    users.push(await createUser(poster(target), { externalUserId: randomUUID() }));
  });
  const writes: Write[] = [];
  let isOver = false;
  const lane = async (number: number) => {
    for (let next = number; !isOver; next += LANES) {
      const userId = users[next % USERS] as string;
      const path = `/users/${userId}/balance/credit`;
      const [requestId, sentAt] = [randomUUID(), Date.now()];
      const body = { amount: AMOUNT };
      const response = await call(target, { path, body, requestId, key: randomUUID() });
      const acknowledgedAt = isGood(response) ? Date.now() : undefined;
      writes.push({ requestId, userId, sentAt, acknowledgedAt });
      await sleep(PAUSE_MS);
    }
  };
  const running = Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
  return {
    writes,
    stop: async () => {
      isOver = true;
      await running;
    },
  };
}

export interface Expected {
  readonly present: number;
  readonly absent: number;
}

/** For the auditor: what a database of that moment must have, and must not have. */
export function writeHistory(file: string, writes: readonly Write[], at: number): Expected {
  const outcomes = writes.map(({ sentAt, acknowledgedAt }) => {
    if (acknowledgedAt !== undefined && acknowledgedAt < at) return 'acknowledged';
    return sentAt > at ? 'refused' : 'unknown';
  });
  const lines = writes.map(({ requestId, userId }, index) =>
    JSON.stringify({
      ...{ logicalId: requestId, correlationIds: [requestId], op: 'credit', userId },
      ...{ currency: 'USD', amount: AMOUNT, outcome: outcomes[index] },
    }),
  );
  appendFileSync(file, `${lines.join('\n')}\n`);
  const count = (outcome: string) => outcomes.filter((one) => one === outcome).length;
  return { present: count('acknowledged'), absent: count('refused') };
}
