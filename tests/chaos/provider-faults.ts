//! What goes wrong outside: three answers of a hundred are lost after the effect; webhooks come
//! several times and out of order.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../harness/chance.ts';
import { armedFaults, armFault, clearFaults, readJournal } from '../harness/sandbox.ts';
import { count } from './notebook.ts';

export interface ProviderFaults {
  /** Disarms what has not struck; from here on everybody outside behaves. */
  stop(): Promise<ReadonlyMap<string, number>>;
}

const DROPPED_PERCENT = 3;
const LOOK_EVERY_MS = 250;

interface FaultRow {
  readonly percent: number;
  readonly provider: string;
  /** Undefined: the operation that the effect is of. */
  readonly operation?: string;
  readonly kind: string;
}

/** What can be told to fail: other effects are the provider's own doing. */
const EFFECT = /^(escrow|payment)\.(\w+|payin\.create|payin\.cancel|payout\.commit)$/;

/** For every effect outside, the chance of a fault at the next thing of its kind. */
// biome-ignore format: a table.
const ROWS: readonly FaultRow[] = [
  { percent: DROPPED_PERCENT, provider: 'escrow', kind: 'drop-after' },
  { percent: DROPPED_PERCENT, provider: 'ledger', operation: 'submit', kind: 'drop-after' },
  { percent: 5, provider: 'escrow', operation: 'webhook', kind: 'duplicate-webhook' },
  { percent: 5, provider: 'escrow', operation: 'webhook', kind: 'reorder-webhooks' },
  { percent: 5, provider: 'payment', operation: 'webhook', kind: 'duplicate-webhook' },
  { percent: 5, provider: 'payment', operation: 'webhook', kind: 'drop-webhook' },
  { percent: DROPPED_PERCENT, provider: 'payment', kind: 'drop-after' },
];

/** Faults strike whoever comes next, so as many are armed as the share of what happens wants. */
export function startProviderFaults(sandbox: string, chance: Chance): ProviderFaults {
  const armed = new Map<string, number>();
  let isOver = false;
  const arm = async (effect: string) => {
    const [, by, own] = EFFECT.exec(effect) ?? [];
    for (const { percent, provider, kind, ...row } of ROWS) {
      // A fault of an effect's own kind, or of the webhooks of its provider, or of the network.
      if (provider !== 'ledger' && provider !== by) continue;
      const operation = row.operation ?? own;
      if (operation === undefined || !chance.percent(percent)) continue;
      await armFault(sandbox, { provider, operation, kind, times: 1 });
      count(armed, `${provider} ${operation} ${kind}`);
    }
  };
  const running = (async () => {
    // What was done before, such as opening wallets, does not count.
    let last = (await readJournal(sandbox)).at(-1)?.seq ?? 0;
    while (!isOver) {
      for (const { seq, effect } of await readJournal(sandbox, last)) {
        last = seq;
        await arm(effect);
      }
      await sleep(LOOK_EVERY_MS);
    }
  })();
  // Told by whoever stops it.
  running.catch(() => undefined);
  return {
    stop: async () => {
      isOver = true;
      await running;
      for (const { provider, operation, kind, times } of await armedFaults(sandbox)) {
        const name = `${provider} ${operation} ${kind}`;
        armed.set(name, (armed.get(name) ?? 0) - times);
      }
      await clearFaults(sandbox);
      return armed;
    },
  };
}
