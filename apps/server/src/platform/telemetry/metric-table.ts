//! Every metric, declared once: the registry, the reference page, the alert rules and the
//! dashboards are made from this table or checked against it. A label has a closed list of values;
//! none names a marketplace, a user or anything else that grows.
import { EXCEPTION_CAUSES, HEALTH_PROVIDERS } from '@holdfast/contract/enums';

/** Paths of the contract's endpoints: too many to list, so their number is limited instead. */
export const ROUTES = 'routes';

interface Row {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: Readonly<Record<string, readonly string[] | typeof ROUTES>>;
  /** Upper bounds, in the unit of the name. */
  readonly buckets?: readonly number[];
  /**
   * `worker`, `api`: processes of this role. `leader`: one worker, which reads it from the
   * database.
   */
  readonly from: 'all' | 'api' | 'worker' | 'leader';
}

/** Label values of the HTTP histogram at most; requests beyond them have the route `other`. */
export const HTTP_COMBINATIONS_MAX = 68;

export const OPERATION_KINDS = [
  'cancel-topup',
  'cancel-withdrawal',
  'checkout-project',
  'commit-withdrawal',
  'create-escrow',
  'create-topup',
  'find-contract',
  'fund-escrow',
  'reconcile-books',
  'refund-order',
  'release-order',
  'resolve-dispute',
] as const;

/** The methods of the three providers' interfaces. */
const PROVIDER_CALLS = [
  'account',
  'balance',
  'build',
  'cancelPayin',
  'cancelPayout',
  'closeTime',
  'commitPayout',
  'createPayin',
  'createPayout',
  'createdContract',
  'findAccount',
  'findByEngagement',
  'findPayin',
  'findPayout',
  'findTransaction',
  'listPayins',
  'listPayouts',
  'payments',
  'paymentsOf',
  'paymentsSince',
  'read',
  'recordTransaction',
  'send',
  'usersOf',
] as const;

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export const METRICS = {
  http_server_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from the request to the end of its response, without event streams. The route is the path in the contract; `none` has no endpoint or no identified caller, `other` is beyond the limit of series. `waits` says whether the route waits for a provider.',
    labels: {
      route: ROUTES,
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'other'],
      class: ['2xx', '3xx', '4xx', '5xx', '504'],
      waits: ['none', 'provider'],
    },
    buckets: SECONDS,
    from: 'api',
  },
  holdfast_event_delivery_seconds: {
    type: 'histogram',
    help: "Time from the event's place in the log, right after its commit, until it was written to the open streams of a process (`stream`), or until a webhook endpoint took it (`webhook`).",
    labels: { way: ['stream', 'webhook'] },
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    from: 'all',
  },
  holdfast_posting_batch_size: {
    type: 'histogram',
    help: 'Postings that one call of the database committed together.',
    labels: {},
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
    from: 'api',
  },
  holdfast_db_pool_wait_seconds: {
    type: 'histogram',
    help: 'Time until a connection of the pool was free, or until the wait was given up.',
    labels: {},
    buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5],
    from: 'all',
  },
  holdfast_eventloop_delay_seconds: {
    type: 'histogram',
    help: 'How late a timer of 50 ms was: the time for which the process did nothing else.',
    labels: {},
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
    from: 'all',
  },
  holdfast_operations: {
    type: 'gauge',
    help: 'Operations that have not ended.',
    labels: { kind: OPERATION_KINDS, state: ['RUNNING', 'ESCALATED'] },
    from: 'leader',
  },
  holdfast_operation_unknown_oldest_seconds: {
    type: 'gauge',
    help: 'Age of the oldest provider call without a known outcome; 0 without any.',
    labels: {},
    from: 'leader',
  },
  holdfast_operation_unknown_seconds: {
    type: 'histogram',
    help: 'Time from a provider call until its outcome was known, for calls that an earlier attempt had left open.',
    labels: {},
    buckets: [1, 5, 30, 60, 300, 900, 3600],
    from: 'worker',
  },
  holdfast_provider_call_seconds: {
    type: 'histogram',
    help: "Duration of a call of a provider's interface, by its outcome.",
    labels: {
      provider: HEALTH_PROVIDERS,
      call: PROVIDER_CALLS,
      outcome: ['done', 'refused', 'unknown'],
    },
    buckets: [0.1, 0.5, 2, 10],
    from: 'all',
  },
  holdfast_inbox_oldest_seconds: {
    type: 'gauge',
    help: "Age of the oldest provider's notification that is not applied; 0 without any.",
    labels: {},
    from: 'leader',
  },
  holdfast_outbox_oldest_seconds: {
    type: 'gauge',
    help: 'For how long, at least, the oldest committed event has waited for its place in the log; 0 without any. Counted from the first reading that found it.',
    labels: {},
    from: 'leader',
  },
  holdfast_lineage_closed: {
    type: 'gauge',
    help: '1 if the database is closed with this status, since it may have forgotten writes, else 0.',
    labels: { status: ['PROMOTED', 'REWOUND', 'UNCHECKED'] },
    from: 'leader',
  },
  holdfast_sync_standbys: {
    type: 'gauge',
    help: 'Synchronous standbys that are connected. Absent where HOLDFAST_DURABILITY is not `standby`.',
    labels: {},
    from: 'leader',
  },
  holdfast_archive_lag_seconds: {
    type: 'gauge',
    help: "Time since a segment of PostgreSQL's log was archived last, or since the start of the server. Absent where archive_mode is off.",
    labels: {},
    from: 'leader',
  },
  holdfast_archive_failing: {
    type: 'gauge',
    help: '1 if the last try to archive a segment failed, else 0. Absent where archive_mode is off.',
    labels: {},
    from: 'leader',
  },
  holdfast_solvency_breach: {
    type: 'gauge',
    help: '1 if the newest solvency reading is a breach, else 0.',
    labels: {},
    from: 'leader',
  },
  holdfast_solvency_taken_timestamp_seconds: {
    type: 'gauge',
    help: 'Time of the newest solvency reading.',
    labels: {},
    from: 'leader',
  },
  holdfast_exceptions_open: {
    type: 'gauge',
    help: 'Open reconciliation exceptions.',
    labels: { cause: EXCEPTION_CAUSES },
    from: 'leader',
  },
  holdfast_treasury_usdc: {
    type: 'gauge',
    help: 'USDC of the treasury, by the newest solvency reading.',
    labels: {},
    from: 'leader',
  },
  holdfast_treasury_xlm_spendable: {
    type: 'gauge',
    help: 'XLM of the treasury beyond its reserves on the network, by the newest solvency reading.',
    labels: {},
    from: 'leader',
  },
  holdfast_provider_float_usd: {
    type: 'gauge',
    help: 'Balance at the payment provider, by the newest solvency reading.',
    labels: {},
    from: 'leader',
  },
  holdfast_bugs_total: {
    type: 'counter',
    help: 'Errors that no code expected, each with a log line `unhandled error`.',
    labels: { source: ['request', 'saga', 'process'] },
    from: 'all',
  },
  holdfast_fence_refusals_total: {
    type: 'counter',
    help: 'Writes that a fence refused, because another attempt had taken over.',
    labels: { rule: ['operation', 'lane', 'sequence'] },
    from: 'worker',
  },
  holdfast_engine_up: {
    type: 'gauge',
    help: '1 if Restate responds and knows the service of this cell, else 0.',
    labels: {},
    from: 'all',
  },
  holdfast_rate_limit_fallback_total: {
    type: 'counter',
    help: 'Requests that were counted in the process alone, because Redis did not reply.',
    labels: {},
    from: 'api',
  },
} as const satisfies Readonly<Record<string, Row>>;

export type MetricName = keyof typeof METRICS;
export type MetricRow = Row;

type ValueOf<V> = V extends readonly (infer Value extends string)[] ? Value : string;

/** A value for each label of a metric. */
export type LabelsOf<N extends MetricName> = {
  readonly [L in keyof (typeof METRICS)[N]['labels']]: ValueOf<(typeof METRICS)[N]['labels'][L]>;
};

export type NamesOf<T extends Row['type']> = {
  [N in MetricName]: (typeof METRICS)[N]['type'] extends T ? N : never;
}[MetricName];

/** Metrics that one worker reads from the database. */
export type LeaderMetric = {
  [N in MetricName]: (typeof METRICS)[N]['from'] extends 'leader' ? N : never;
}[MetricName];

export const LEADER_METRICS = Object.entries(METRICS)
  .filter(([, row]) => row.from === 'leader')
  .map(([name]) => name as LeaderMetric);
