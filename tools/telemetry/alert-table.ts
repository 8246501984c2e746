//! Every alert: when it fires, how urgent it is, and the page that says what to do.
//! `npm run generate` writes deploy/prometheus/alerts.yml from it.
import { burns, SLOS } from './slos.ts';

export interface Alert {
  readonly name: string;
  readonly expr: string;
  /** How long it must be so. */
  readonly for: string;
  /** `page` wakes someone; `ticket` waits for the morning. */
  readonly severity: 'page' | 'ticket';
  readonly summary: string;
  /** Of docs/operations/runbooks; without one, the section of the alert says everything. */
  readonly runbook?: string;
}

/** Change these for your own amounts. */
const LIMITS = { treasuryUsdc: 1000, treasuryXlm: 100, providerFloatUsd: 1000 };

export const ALERTS: readonly Alert[] = [
  {
    name: 'BurnFast',
    runbook: 'bad-release',
    expr: SLOS.filter(({ isPaged }) => isPaged)
      .map((slo) => `(${burns(slo, 14.4, '1h', '5m')}) or (${burns(slo, 6, '6h', '30m')})`)
      .join(' or '),
    for: '0m',
    severity: 'page',
    summary:
      'Requests fail or events are late so often that the budget of 30 days is used up in days.',
  },
  {
    name: 'BurnSlow',
    runbook: 'bad-release',
    expr: SLOS.map((slo) => `(${burns(slo, 1, '3d')})`).join(' or '),
    for: '1h',
    severity: 'ticket',
    summary: 'An objective was missed on average over three days.',
  },
  {
    name: 'Saturated',
    runbook: 'flood',
    expr: 'histogram_quantile(0.99, sum by (le, job) (rate(holdfast_db_pool_wait_seconds_bucket[5m]))) > 0.5',
    for: '5m',
    severity: 'page',
    summary: 'One in a hundred callers waits for half a second for a database connection.',
  },
  {
    name: 'Escalated',
    runbook: 'stuck-order',
    expr: 'max(holdfast_operations{state="ESCALATED"}) > 0',
    for: '1m',
    severity: 'page',
    summary: 'An operation needs a decision: a step was refused after money had moved.',
  },
  {
    name: 'OutcomeOpen',
    runbook: 'open-outcomes',
    expr: 'max(holdfast_operation_unknown_oldest_seconds) > 900',
    for: '1m',
    severity: 'page',
    summary: 'The outcome of a provider call has been unknown for 15 minutes.',
  },
  {
    name: 'ProviderFailing',
    runbook: 'provider-down',
    expr: 'sum by (provider) (rate(holdfast_provider_call_seconds_count{outcome="unknown"}[10m])) / sum by (provider) (rate(holdfast_provider_call_seconds_count[10m])) > 0.2',
    for: '5m',
    severity: 'page',
    summary: 'More than a fifth of the calls of a provider have no known outcome.',
  },
  {
    name: 'Stuck',
    runbook: 'stream-gap',
    expr: 'max(holdfast_inbox_oldest_seconds) > 120 or max(holdfast_outbox_oldest_seconds) > 10',
    for: '1m',
    severity: 'page',
    summary: 'Notifications of providers, or committed events, wait for too long.',
  },
  {
    name: 'Insolvent',
    runbook: 'difference',
    expr: 'max(holdfast_solvency_breach) > 0 or time() - max(holdfast_solvency_taken_timestamp_seconds) > 300',
    for: '0m',
    severity: 'page',
    summary: 'Assets differ from liabilities, or were not compared for five minutes.',
  },
  {
    name: 'Rewound',
    runbook: 'restore',
    expr: 'max(holdfast_lineage_closed) > 0',
    for: '0m',
    severity: 'page',
    summary: 'The database was restored or failed over, and is closed until it is recovered.',
  },
  {
    name: 'Unsafe',
    runbook: 'postgresql',
    expr: 'min(holdfast_sync_standbys) < 1 or max(holdfast_archive_lag_seconds) > 120',
    for: '1m',
    severity: 'page',
    summary:
      'The loss of one server would lose acknowledged writes: no standby, or an old archive.',
  },
  {
    name: 'ArchiveFailing',
    runbook: 'postgresql',
    expr: 'max(holdfast_archive_failing) > 0',
    for: '2m',
    severity: 'ticket',
    summary: 'PostgreSQL cannot archive its log: backups end here, and its disk fills.',
  },
  {
    name: 'Broken',
    runbook: 'broken-invariant',
    expr: 'sum by (source) (increase(holdfast_bugs_total[10m])) > 0',
    for: '0m',
    severity: 'page',
    summary: 'An error that no code expected: a log line `unhandled error` has it.',
  },
  {
    name: 'Gone',
    runbook: 'restate-or-redis',
    expr: [
      'max(holdfast_engine_up) == 0',
      'sum(up{job="worker"}) < 2',
      'sum(up{job="api"}) < 1',
      'absent(up{job="worker"})',
      'absent(holdfast_inbox_oldest_seconds)',
    ].join(' or '),
    for: '1m',
    severity: 'page',
    summary:
      'Restate is down, fewer than two workers or no API server run, or no worker reads the state.',
  },
  {
    name: 'LowTreasury',
    expr: `max(holdfast_treasury_usdc) < ${LIMITS.treasuryUsdc}`,
    for: '10m',
    severity: 'ticket',
    summary: 'The treasury has little USDC left for payouts over the network.',
  },
  {
    name: 'LowXlmReserve',
    expr: `max(holdfast_treasury_xlm_spendable) < ${LIMITS.treasuryXlm}`,
    for: '10m',
    severity: 'ticket',
    summary: 'The treasury has little XLM left for wallets and network fees.',
  },
  {
    name: 'LowProviderFloat',
    expr: `max(holdfast_provider_float_usd) < ${LIMITS.providerFloatUsd}`,
    for: '10m',
    severity: 'ticket',
    summary: 'The balance at the payment provider is low: payouts will be refused.',
  },
];

/** On the documentation site of the API server. */
export function runbookOf({ name, runbook }: Alert): string {
  return runbook === undefined
    ? `/docs/operations/alerts/#${name.toLowerCase()}`
    : `/docs/operations/runbooks/${runbook}/`;
}
