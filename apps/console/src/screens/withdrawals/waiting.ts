//! Finds the withdrawals that wait for a second approver, each with its approval.
import type { Approval } from '@holdfast/sdk';

export type Waiting = ReadonlyMap<string, string>;

/** The newest approval of each: they come newest first. */
export function waitingOf(
  approvals: readonly Pick<Approval, 'id' | 'action' | 'resourceId'>[],
): Waiting {
  return new Map(
    approvals
      .filter(({ action }) => action === 'commitWithdrawal')
      .map(({ resourceId, id }) => [resourceId, id] as const)
      .toReversed(),
  );
}
