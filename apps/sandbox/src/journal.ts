//! Every effect of the sandbox, in order, to compare with the service's own records.
import type { WorldClock } from './clock.ts';
import type { Change, Store } from './store.ts';

export interface Effect {
  /** Such as escrow.deploy, escrow.fund, payment.payout.commit, ledger.payment. */
  readonly effect: string;
  readonly orderId?: string;
  readonly code?: string;
  readonly contractId?: string;
  readonly txHash?: string;
  /** In whole units, as decimal text. */
  readonly amount?: string;
  /** Of the amount, what the payment provider kept. */
  readonly fee?: string;
  readonly milestoneIndex?: number;
  readonly from?: string;
  readonly to?: string;
  readonly asset?: string;
}

export interface JournalEntry extends Effect {
  readonly seq: number;
  readonly at: string;
}

export class Journal {
  readonly #store: Store;
  readonly #clock: WorldClock;

  constructor(store: Store, clock: WorldClock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The change that records effects: committed together with what they changed. */
  record(...effects: readonly Effect[]): Change[] {
    const before = this.#store.count('journal');
    return effects.map((effect, at) => {
      const seq = before + at + 1;
      return ['journal', String(seq), { seq, at: this.#clock.text(), ...effect }];
    });
  }

  entries(): JournalEntry[] {
    return this.#store.all<JournalEntry>('journal');
  }
}
