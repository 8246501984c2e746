//! Disputes: the contract's calls, and waiting for a state.
import { DisputesCalls } from '#generated/disputes';
import type { Dispute } from '#generated/orders-records';
import { FINAL_STATES } from '#generated/states';
import type { DisputeStatus } from '#generated/words';
import { type WaitOptions, waitUntil } from '#wait';

/** Disputes, from the agent's side. */
export class Disputes extends DisputesCalls {
  /**
   * Waits until it is in a state, or in one of several. Rejects with `STATE_NOT_REACHED` as soon as
   * it has ended in another, and with `WAIT_TIMED_OUT` after `timeoutMs`.
   */
  waitFor(
    id: string,
    status: DisputeStatus | readonly DisputeStatus[],
    options: WaitOptions = {},
  ): Promise<Dispute> {
    const poll = (how: object) => this.get(id, how);
    const final = FINAL_STATES.dispute;
    return waitUntil({ what: `Dispute ${id}`, poll, wanted: status, final }, options);
  }
}
