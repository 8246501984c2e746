//! The external effects of each order and payment, from the sandbox's journal. Each read continues
//! after the last.
import { readJournal } from './sandbox.ts';

export interface Journal {
  /** How often each effect happened for an order's contracts, or for a payment. */
  effectsOf(subjectId: string): Promise<ReadonlyMap<string, number>>;
}

export function openJournal(sandbox: string): Journal {
  const known = new Map<string, Map<string, number>>();
  let last = 0;
  let reading: Promise<unknown> = Promise.resolve();
  const readOn = async () => {
    for (const { seq, effect, orderId, code } of await readJournal(sandbox, last)) {
      last = seq;
      const subjectId = orderId ?? code;
      if (subjectId === undefined) continue;
      const effects = known.get(subjectId) ?? new Map<string, number>();
      const name = effect.replace(/^(escrow|payment)\./, '');
      known.set(subjectId, effects.set(name, (effects.get(name) ?? 0) + 1));
    }
  };
  return {
    effectsOf: async (subjectId) => {
      reading = reading.catch(() => undefined).then(readOn);
      await reading;
      return known.get(subjectId) ?? new Map();
    },
  };
}
