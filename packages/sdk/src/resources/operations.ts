//! Operations: the contract's calls, and waiting until an operation has ended.
import type { CallOptions } from '#call';
import { OperationsCalls } from '#generated/operations';
import type { Operation } from '#generated/operations-records';
import type { OperationStatus } from '#generated/words';
import { type WaitOptions, waitUntil } from '#wait';

/** Durable provider work: what PROVIDER_TIMEOUT names. */
export class Operations extends OperationsCalls {
  /**
   * Waits until the operation has ended: `DONE`, or `REFUSED` with its `refusalCode`. Retries of
   * one that is `ESCALATED` continue while an operator examines it.
   */
  waitFor(
    id: string,
    status: OperationStatus | readonly OperationStatus[] = ['DONE', 'REFUSED'],
    options: WaitOptions = {},
  ): Promise<Operation> {
    return waitForOperation((how) => this.get(id, how), id, status, options);
  }
}

export function waitForOperation<T extends { readonly status: string }>(
  poll: (options: CallOptions) => Promise<T>,
  id: string,
  status: OperationStatus | readonly OperationStatus[],
  options: WaitOptions,
): Promise<T> {
  const final = ['DONE', 'REFUSED'];
  return waitUntil({ what: `Operation ${id}`, poll, wanted: status, final }, options);
}
