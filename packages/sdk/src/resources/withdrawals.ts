//! Withdrawals: the contract's calls, and waiting for a state.

import { FINAL_STATES } from '#generated/states';
import { WithdrawalsCalls } from '#generated/withdrawals';
import type { Withdrawal } from '#generated/withdrawals-records';
import type { WithdrawalStatus } from '#generated/words';
import { type WaitOptions, waitUntil } from '#wait';

/** Money that goes out. */
export class Withdrawals extends WithdrawalsCalls {
  /**
   * Waits until it is in a state, or in one of several. Rejects with `STATE_NOT_REACHED` as soon as
   * it has ended in another, and with `WAIT_TIMED_OUT` after `timeoutMs`.
   */
  waitFor(
    id: string,
    status: WithdrawalStatus | readonly WithdrawalStatus[],
    options: WaitOptions = {},
  ): Promise<Withdrawal> {
    const poll = (how: object) => this.get(id, how);
    const final = FINAL_STATES.withdrawal;
    return waitUntil({ what: `Withdrawal ${id}`, poll, wanted: status, final }, options);
  }
}
