//! Everything that runs in the background: name, interval, what it does.
import { foldHouseAccounts } from '../books/fold-house-accounts.ts';
import { forgetIdempotencyKeys } from '../platform/forget-idempotency-keys.ts';
import { makePartitions } from '../platform/make-partitions.ts';
import type { Job } from '../platform/scheduler.ts';
import type { App } from '../wire.ts';

export const jobs: readonly Job<App>[] = [
  {
    name: 'fold-house-accounts',
    everyMs: 5_000,
    means:
      'Folds the parts of house accounts into one each, so that their balance stays a short sum.',
    run: foldHouseAccounts,
  },
  {
    name: 'forget-idempotency-keys',
    everyMs: 60_000,
    means: 'Deletes Idempotency-Keys older than a day, a thousand at a time.',
    run: forgetIdempotencyKeys,
  },
  {
    name: 'make-partitions',
    everyMs: 3_600_000,
    means: 'Makes the monthly partitions of journal and audit three months ahead.',
    run: makePartitions,
  },
];
