//! Everything that runs in the background: name, interval, what it does.
import { foldHouseAccounts } from '../books/fold-house-accounts.ts';
import { openHouseWallets } from '../custody/open-house-wallets.ts';
import { forgetIdempotencyKeys } from '../platform/forget-idempotency-keys.ts';
import { makePartitions } from '../platform/make-partitions.ts';
import type { Job } from '../platform/scheduler.ts';
import { makeWallets } from '../users/make-wallets.ts';
import type { App } from '../wire.ts';
import type { Custody } from '../wire-worker.ts';

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

/** What needs the ledger network and the keys to its wallets. */
export const custodyJobs: readonly Job<Custody>[] = [
  {
    name: 'open-house-wallets',
    everyMs: 500,
    means: 'Makes the wallets of the house that are missing, and lets them hold USDC.',
    run: openHouseWallets,
  },
  {
    name: 'make-wallets',
    everyMs: 200,
    means: 'Brings the wallets of new users to the ledger network, many in one transaction.',
    run: makeWallets,
  },
];
