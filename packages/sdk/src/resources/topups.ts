//! Top-ups: the contract's calls, and waiting for a state.

import { FINAL_STATES } from '#generated/states';
import { TopupsCalls } from '#generated/topups';
import type { Topup } from '#generated/topups-records';
import type { TopupStatus } from '#generated/words';
import { type WaitOptions, waitUntil } from '#wait';

/** Money that comes in through the payment provider. */
export class Topups extends TopupsCalls {
  /**
   * Waits until it is in a state, or in one of several. Rejects with `STATE_NOT_REACHED` as soon as
   * it has ended in another, and with `WAIT_TIMED_OUT` after `timeoutMs`.
   */
  waitFor(
    id: string,
    status: TopupStatus | readonly TopupStatus[],
    options: WaitOptions = {},
  ): Promise<Topup> {
    const poll = (how: object) => this.get(id, how);
    const final = FINAL_STATES.topup;
    return waitUntil({ what: `Top-up ${id}`, poll, wanted: status, final }, options);
  }
}
