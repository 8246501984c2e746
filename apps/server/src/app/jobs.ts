//! All background jobs: name, interval, purpose, and the events that each emits.
import { DEBT_REPAYMENT } from '@holdfast/contract/events';
import { surfaceA } from '@holdfast/contract/surface-a';
import { settleStops } from '../access/marketplaces/settle-stops.ts';
import { compactHouseAccounts } from '../accounts/books/compact-house-accounts.ts';
import { fillWalletPool } from '../accounts/custody/fill-wallet-pool.ts';
import { openHouseWallets } from '../accounts/custody/open-house-wallets.ts';
import { createWallets } from '../accounts/users/create-wallets.ts';
import { openReconciliationRuns } from '../assurance/reconciliation/open-reconciliation-runs.ts';
import { checkLineage } from '../assurance/recovery/check-lineage.ts';
import { recoverDatabase } from '../assurance/recovery/recover-database.ts';
import { recordSolvency } from '../assurance/solvency/record-solvency.ts';
import { recordInsights } from '../console/home/record-insights.ts';
import { purgeRequests } from '../console/request-log/purge-requests.ts';
import { sweepOperations } from '../engine/sweep-operations.ts';
import { creditDeposits } from '../payments/deposits/credit-deposits.ts';
import { consumeBalanceEvents } from '../payments/mirror/consume-balance-events.ts';
import { mirrorWallets } from '../payments/mirror/mirror-wallets.ts';
import { refreshTopups } from '../payments/topups/refresh-topups.ts';
import { expireWithdrawals } from '../payments/withdrawals/expire-withdrawals.ts';
import { refreshPayouts } from '../payments/withdrawals/refresh-payouts.ts';
import { createPartitions } from '../platform/database/create-partitions.ts';
import { purgeIdempotencyKeys } from '../platform/database/purge-idempotency-keys.ts';
import type { Job } from '../platform/process/scheduler.ts';
import { anchorAudit } from '../record/audit/anchor-audit.ts';
import { exportAudit } from '../record/audit/export-audit.ts';
import { purgeEvents } from '../record/events/purge-events.ts';
import { applyInbox } from '../webhooks/incoming/apply-inbox.ts';
import { dispatchWebhookLanes } from '../webhooks/outgoing/dispatch-webhook-lanes.ts';
import { purgeWebhookDeliveries } from '../webhooks/outgoing/purge-webhook-deliveries.ts';
import type { App } from './wire.ts';
import type { Custody } from './wire-worker.ts';

export const jobs: readonly Job<App>[] = [
  {
    name: 'check-lineage',
    everyMs: 250,
    description:
      'Checks whether the database has forgotten writes, and counts the mark that shows it.',
    emits: [],
    needs: 'nothing',
    run: checkLineage,
  },
  {
    name: 'recover-database',
    everyMs: 1_000,
    description:
      'Finds what a database has forgotten that was restored or has taken over from another.',
    // As notifications of the escrow provider do, and as a commit of a withdrawal.
    emits: ['withdrawal.committed', ...surfaceA.receiveEscrowWebhook.emits],
    needs: 'nothing',
    run: recoverDatabase,
  },
  {
    name: 'settle-stops',
    everyMs: 1_000,
    description: 'Records when a stop of a marketplace holds in every process.',
    emits: [],
    run: settleStops,
  },
  {
    name: 'anchor-audit',
    everyMs: 86_400_000,
    description: 'Logs the latest hash of each audit chain, for `npm run verify:audit`.',
    emits: [],
    run: anchorAudit,
  },
  {
    name: 'export-audit',
    everyMs: 60_000,
    description:
      'Writes the hashes of all audit chains to the archive outside the database, with signed heads.',
    emits: [],
    run: exportAudit,
  },
  {
    name: 'compact-house-accounts',
    everyMs: 5_000,
    description:
      'Compacts the deltas of marketplace accounts, so that their balances are quick to compute.',
    emits: [],
    run: compactHouseAccounts,
  },
  {
    name: 'purge-idempotency-keys',
    everyMs: 60_000,
    description: 'Deletes Idempotency-Keys older than a day, a thousand at a time.',
    emits: [],
    run: purgeIdempotencyKeys,
  },
  {
    name: 'purge-events',
    everyMs: 3_600_000,
    description: 'Drops the months of the event log that are past the retention period.',
    emits: [],
    run: purgeEvents,
  },
  {
    name: 'dispatch-webhook-lanes',
    everyMs: 100,
    isWokenByEvents: true,
    description: 'Starts the delivery of events to webhook endpoints that have undelivered ones.',
    emits: [],
    run: dispatchWebhookLanes,
  },
  {
    name: 'purge-webhook-deliveries',
    everyMs: 3_600_000,
    description: 'Deletes webhook deliveries that are past the retention period.',
    emits: [],
    run: purgeWebhookDeliveries,
  },
  {
    name: 'purge-requests',
    everyMs: 3_600_000,
    description:
      'Drops days of the request log past the retention period, and creates the next days.',
    emits: [],
    run: purgeRequests,
  },
  {
    name: 'create-partitions',
    everyMs: 3_600_000,
    description:
      'Creates the monthly partitions of journal, event log and audit log three months ahead.',
    emits: [],
    run: createPartitions,
  },
  {
    name: 'record-insights',
    everyMs: 60_000,
    description: 'Sums up each past hour for the figures in the console.',
    emits: [],
    run: recordInsights,
  },
  {
    name: 'expire-withdrawals',
    everyMs: 10_000,
    description:
      'Cancels withdrawals that were not confirmed in time; their money is available again.',
    emits: ['balance.released', 'withdrawal.canceled'],
    run: expireWithdrawals,
  },
  {
    name: 'refresh-payouts',
    everyMs: 1_000,
    description: 'Polls payouts in progress, more often when they are recent.',
    emits: surfaceA.refreshWithdrawal.emits,
    run: refreshPayouts,
  },
  {
    name: 'refresh-topups',
    everyMs: 1_000,
    description: 'Polls top-ups without a final outcome, more often when they are recent.',
    emits: surfaceA.refreshTopup.emits,
    run: refreshTopups,
  },
  {
    name: 'open-reconciliation-runs',
    everyMs: 30_000,
    description: 'Starts a reconciliation run for each marketplace that is due for one.',
    emits: [],
    run: openReconciliationRuns,
  },
  {
    name: 'sweep-operations',
    everyMs: 2_000,
    description: 'Retries operations that are due and have sent no heartbeat for ten seconds.',
    emits: [],
    run: sweepOperations,
  },
];

/** Jobs that need the wallet keys, the Stellar network and the escrow provider. */
export const custodyJobs: readonly Job<Custody>[] = [
  {
    name: 'apply-inbox',
    everyMs: 500,
    description: 'Applies provider notifications that could not be applied on arrival.',
    emits: [
      ...new Set([...surfaceA.receiveEscrowWebhook.emits, ...surfaceA.receivePaymentWebhook.emits]),
    ],
    run: applyInbox,
  },
  {
    name: 'credit-deposits',
    everyMs: 'HOLDFAST_DEPOSIT_POLL_MS',
    description:
      'Credits users with payments that external payers sent to their addresses on the network.',
    emits: ['balance.credited', ...DEBT_REPAYMENT],
    needs: 'sending',
    run: creditDeposits,
  },
  {
    name: 'consume-balance-events',
    everyMs: 100,
    isWokenByEvents: true,
    description: 'Finds users whose balances changed, and marks their addresses for an update.',
    emits: [],
    needs: 'sending',
    run: consumeBalanceEvents,
  },
  {
    name: 'mirror-wallets',
    everyMs: 100,
    isWokenByEvents: true,
    description:
      'Brings balances of addresses on the network in line with the books, many in one transaction.',
    emits: [],
    needs: 'sending',
    run: mirrorWallets,
  },
  {
    name: 'open-house-wallets',
    everyMs: 500,
    description:
      'Creates missing wallets of the deployment, such as the treasury, and their USDC trustlines.',
    emits: [],
    needs: 'sending',
    run: openHouseWallets,
  },
  {
    name: 'create-wallets',
    // The creator of a user may request its address next.
    everyMs: 50,
    isWokenByEvents: true,
    description: 'Creates the accounts of new users on the network, many in one transaction.',
    emits: ['user.ledger_linked'],
    needs: 'sending',
    run: createWallets,
  },
  {
    name: 'record-solvency',
    everyMs: 5_000,
    description:
      'Takes a solvency reading if one is due, once a minute; two breaches in a row pause payouts.',
    emits: [],
    run: recordSolvency,
  },
  {
    name: 'fill-wallet-pool',
    everyMs: 100,
    isWokenByEvents: true,
    description: 'Keeps HOLDFAST_SPARE_WALLETS wallets ready for new users.',
    emits: [],
    needs: 'sending',
    run: fillWalletPool,
  },
];
