//! Operations: what an outcome that is not known yet is followed by.
import type { CallOptions } from '#call';
import { OperationsCalls } from '#generated/operations';
import type { Operation } from '#generated/operations-records';
import type { OperationStatus } from '#generated/words';
import { type WaitOptions, waitUntil } from '#wait';

/** Durable provider work: what PROVIDER_TIMEOUT names. */
export class Operations extends OperationsCalls {
  /**
   * Waits until the operation has ended: `DONE`, or `REFUSED` with its `refusalCode`. One that is
   * `RAISED` is tried on while an operator looks at it.
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
  look: (options: CallOptions) => Promise<T>,
  id: string,
  status: OperationStatus | readonly OperationStatus[],
  options: WaitOptions,
): Promise<T> {
  const final = ['DONE', 'REFUSED'];
  return waitUntil({ what: `Operation ${id}`, look, wanted: status, final }, options);
}
