//! Provider faults: three percent of replies are lost after the effect; webhooks come several times
//! and out of order.
import { setTimeout as sleep } from 'node:timers/promises';
import type { SeededRandom } from '../../harness/random.ts';
import { armedFaults, armFault, clearFaults, readJournal } from '../../harness/sandbox.ts';
import { count } from './notebook.ts';

export interface ProviderFaults {
  /** Disarms the faults that did not occur; from here on providers behave normally. */
  stop(): Promise<ReadonlyMap<string, number>>;
}

const DROPPED_PERCENT = 3;
const POLL_INTERVAL_MS = 250;

interface FaultRow {
  readonly percent: number;
  readonly provider: string;
  /** Undefined: the operation of the effect. */
  readonly operation?: string;
  readonly kind: string;
}

/** Effects that can be made to fail: the provider itself causes all others. */
const EFFECT = /^(escrow|payment)\.(\w+|payin\.create|payin\.cancel|payout\.commit)$/;

/** For every external effect, the probability of a fault at the next call of its kind. */
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

/** A fault hits the next call, so faults are armed in proportion to the effects. */
export function startProviderFaults(sandbox: string, random: SeededRandom): ProviderFaults {
  const armed = new Map<string, number>();
  let isOver = false;
  const arm = async (effect: string) => {
    const [, by, own] = EFFECT.exec(effect) ?? [];
    for (const { percent, provider, kind, ...row } of ROWS) {
      // A fault of the effect's own kind, or of its provider's webhooks, or of the network.
      if (provider !== 'ledger' && provider !== by) continue;
      const operation = row.operation ?? own;
      if (operation === undefined || !random.percent(percent)) continue;
      await armFault(sandbox, { provider, operation, kind, times: 1 });
      count(armed, `${provider} ${operation} ${kind}`);
    }
  };
  const running = (async () => {
    // Earlier effects, such as opening wallets, do not count.
    let last = (await readJournal(sandbox)).at(-1)?.seq ?? 0;
    while (!isOver) {
      for (const { seq, effect } of await readJournal(sandbox, last)) {
        last = seq;
        await arm(effect);
      }
      await sleep(POLL_INTERVAL_MS);
    }
  })();
  // `stop` awaits it and throws its error.
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
