//! Everything that runs in the background: name, interval, what it does, which events it emits.
import { surfaceA } from '@holdfast/contract/surface-a';
import { anchorAudit } from '../audit/anchor-audit.ts';
import { foldHouseAccounts } from '../books/fold-house-accounts.ts';
import { recordInsights } from '../console/record-insights.ts';
import { openHouseWallets } from '../custody/open-house-wallets.ts';
import { stockWallets } from '../custody/stock-wallets.ts';
import { creditDeposits } from '../deposits/credit-deposits.ts';
import { sweepOperations } from '../engine/sweep-operations.ts';
import { forgetEvents } from '../events/forget-events.ts';
import { applyInbox } from '../inbox/apply-inbox.ts';
import { followBooks } from '../mirror/follow-books.ts';
import { mirrorWallets } from '../mirror/mirror-wallets.ts';
import { forgetIdempotencyKeys } from '../platform/forget-idempotency-keys.ts';
import { makePartitions } from '../platform/make-partitions.ts';
import type { Job } from '../platform/scheduler.ts';
import { openDueRuns } from '../reconciliation/open-due-runs.ts';
import { recordSolvency } from '../reconciliation/record-solvency.ts';
import { forgetRequests } from '../requests/forget-requests.ts';
import { refreshTopups } from '../topups/refresh-topups.ts';
import { makeWallets } from '../users/make-wallets.ts';
import { followLanes } from '../webhooks/follow-lanes.ts';
import { forgetWebhookDeliveries } from '../webhooks/forget-webhook-deliveries.ts';
import type { App } from '../wire.ts';
import type { Custody } from '../wire-worker.ts';
import { refreshPayouts } from '../withdrawals/refresh-payouts.ts';

export const jobs: readonly Job<App>[] = [
  {
    name: 'anchor-audit',
    everyMs: 86_400_000,
    means: 'Notes the heads of all audit chains in the log, for `npm run verify:audit`.',
    emits: [],
    run: anchorAudit,
  },
  {
    name: 'fold-house-accounts',
    everyMs: 5_000,
    means:
      'Folds the parts of house accounts into one each, so that their balance stays a short sum.',
    emits: [],
    run: foldHouseAccounts,
  },
  {
    name: 'forget-idempotency-keys',
    everyMs: 60_000,
    means: 'Deletes Idempotency-Keys older than a day, a thousand at a time.',
    emits: [],
    run: forgetIdempotencyKeys,
  },
  {
    name: 'forget-events',
    everyMs: 3_600_000,
    means: 'Drops the months of the event log that lie before the retention.',
    emits: [],
    run: forgetEvents,
  },
  {
    name: 'follow-lanes',
    everyMs: 100,
    isWokenByEvents: true,
    means: 'Has webhooks sent where the log goes on behind what was delivered.',
    emits: [],
    run: followLanes,
  },
  {
    name: 'forget-webhook-deliveries',
    everyMs: 3_600_000,
    means: 'Deletes what was sent to webhook endpoints longer ago than it is kept.',
    emits: [],
    run: forgetWebhookDeliveries,
  },
  {
    name: 'forget-requests',
    everyMs: 3_600_000,
    means:
      'Drops the days of the request log that lie before the retention, and makes the next ones.',
    emits: [],
    run: forgetRequests,
  },
  {
    name: 'make-partitions',
    everyMs: 3_600_000,
    means: 'Makes the monthly partitions of journal, log and audit three months ahead.',
    emits: [],
    run: makePartitions,
  },
  {
    name: 'record-insights',
    everyMs: 60_000,
    means: 'Sums the hours that are over, for the figures of the console.',
    emits: [],
    run: recordInsights,
  },
  {
    name: 'refresh-payouts',
    everyMs: 1_000,
    means: 'Looks at pay-outs that are on their way, the younger the more often.',
    emits: surfaceA.refreshWithdrawal.emits,
    run: refreshPayouts,
  },
  {
    name: 'refresh-topups',
    everyMs: 1_000,
    means: 'Looks at top-ups whose end is not certain, the younger the more often.',
    emits: surfaceA.refreshTopup.emits,
    run: refreshTopups,
  },
  {
    name: 'open-due-runs',
    everyMs: 30_000,
    means: 'Begins a reconciliation run for marketplaces whose last one is old enough.',
    emits: [],
    run: openDueRuns,
  },
  {
    name: 'sweep-operations',
    everyMs: 2_000,
    means:
      'Has operations driven again that are due and have given no sign of life for ten seconds.',
    emits: [],
    run: sweepOperations,
  },
];

/** What needs the ledger network and the keys to its wallets. */
export const custodyJobs: readonly Job<Custody>[] = [
  {
    name: 'apply-inbox',
    everyMs: 500,
    means: 'Applies what providers have told us and could not be applied when it came.',
    emits: [
      ...new Set([...surfaceA.receiveEscrowWebhook.emits, ...surfaceA.receivePaymentWebhook.emits]),
    ],
    run: applyInbox,
  },
  {
    name: 'credit-deposits',
    everyMs: ({ config }) => config.HOLDFAST_DEPOSIT_POLL_MS,
    means: 'Credits what strangers paid to addresses of users on the ledger network.',
    emits: ['balance.credited'],
    run: creditDeposits,
  },
  {
    name: 'follow-books',
    everyMs: 100,
    isWokenByEvents: true,
    means: 'Finds in the event logs whose books changed, so that their addresses follow.',
    emits: [],
    run: followBooks,
  },
  {
    name: 'mirror-wallets',
    everyMs: 100,
    isWokenByEvents: true,
    means: 'Brings addresses on the ledger network to what the books say, many in one transaction.',
    emits: [],
    run: mirrorWallets,
  },
  {
    name: 'open-house-wallets',
    everyMs: 500,
    means: 'Makes the wallets of the house that are missing, and lets them hold USDC.',
    emits: [],
    run: openHouseWallets,
  },
  {
    name: 'make-wallets',
    // Whoever creates a user may ask for its address next.
    everyMs: 50,
    isWokenByEvents: true,
    means: 'Brings the wallets of new users to the ledger network, many in one transaction.',
    emits: ['user.ledger_linked'],
    run: makeWallets,
  },
  {
    name: 'record-solvency',
    everyMs: 5_000,
    means: 'Once a minute compares what is there with what is owed; a breach pauses payouts.',
    emits: [],
    run: recordSolvency,
  },
  {
    name: 'stock-wallets',
    everyMs: 100,
    isWokenByEvents: true,
    means: 'Keeps HOLDFAST_SPARE_WALLETS finished wallets ready for users to come.',
    emits: [],
    run: stockWallets,
  },
];
