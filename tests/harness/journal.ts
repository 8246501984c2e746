//! The external effects of each order, from the sandbox's journal. Each read continues after the
//! last.
import { readJournal } from './sandbox.ts';

export interface Journal {
  /** How often each effect happened for an order's contracts. */
  effectsOf(orderId: string): Promise<ReadonlyMap<string, number>>;
}

export function openJournal(sandbox: string): Journal {
  const known = new Map<string, Map<string, number>>();
  let last = 0;
  let reading: Promise<unknown> = Promise.resolve();
  const readOn = async () => {
    for (const { seq, effect, orderId } of await readJournal(sandbox, last)) {
      last = seq;
      if (orderId === undefined) continue;
      const effects = known.get(orderId) ?? new Map<string, number>();
      const name = effect.replace('escrow.', '');
      known.set(orderId, effects.set(name, (effects.get(name) ?? 0) + 1));
    }
  };
  return {
    effectsOf: async (orderId) => {
      reading = reading.catch(() => undefined).then(readOn);
      await reading;
      return known.get(orderId) ?? new Map();
    },
  };
}
