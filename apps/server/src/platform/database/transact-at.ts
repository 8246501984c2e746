//! A transaction with crash points: before it, just before it commits, and after it.
import type { Call } from '../call.ts';
import { failpoint } from '../process/failpoint.ts';
import { type Transactor, type Tx, transact } from './transact.ts';

interface TransactionPoint {
  /** Such as `release-order:end`; its crash points are named after it. */
  readonly point: string;
  /** What the transaction is to its crash points: `before-tx`, `in-tx`, `after-tx`. */
  readonly what?: string;
  readonly isolation?: 'read committed' | undefined;
}

export async function transactAt<T>(
  app: Transactor,
  call: Call,
  { point, what = 'tx', isolation }: TransactionPoint,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  failpoint(`${point}:before-${what}`);
  const inTx = async (tx: Tx) => {
    const given = await work(tx);
    failpoint(`${point}:in-${what}`);
    return given;
  };
  const result = await transact(app, call, inTx, isolation);
  failpoint(`${point}:after-${what}`);
  return result;
}
