//! The dashboards: panels with their expressions. `npm run generate` writes deploy/grafana from it,
//! and `npm run dashboards:picture` draws the same panels from a Prometheus.
import { recordedAs, SLOS } from './slos.ts';

export interface Query {
  readonly expr: string;
  /** The name of each line; `{{label}}` is replaced. */
  readonly legend: string;
}

export interface Panel {
  readonly title: string;
  readonly unit: 'short' | 's' | 'percentunit' | 'bytes' | 'reqps' | 'currencyUSD';
  readonly queries: readonly Query[];
}

export interface DashboardRow {
  /** Also the name of its file. */
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
}

const HTTP = 'http_server_request_duration_seconds';

function quantiles(metric: string, by = ''): Query[] {
  const labels = by === '' ? 'le' : `le, ${by}`;
  return ['0.5', '0.99'].map((share) => ({
    expr: `histogram_quantile(${share}, sum by (${labels}) (rate(${metric}_bucket[$__rate_interval])))`,
    legend: `${by === '' ? '' : `{{${by}}} `}p${Number(share) * 100}`,
  }));
}

function one(expr: string, legend: string): Query[] {
  return [{ expr, legend }];
}

const UP: Panel = {
  title: 'Processes that can be scraped',
  unit: 'short',
  queries: one('up', '{{job}} {{instance}}'),
};
const STARTS: Panel = {
  title: 'Age of each process: a restart falls to zero',
  unit: 's',
  queries: one('time() - process_start_time_seconds', '{{instance}}'),
};

export const DASHBOARDS: readonly DashboardRow[] = [
  {
    uid: 'holdfast-overview',
    title: 'Holdfast: overview',
    panels: [
      {
        title: 'Objectives: share that was bad in one hour',
        unit: 'percentunit',
        queries: SLOS.map((slo) => ({ expr: recordedAs(slo, '1h'), legend: slo.name })),
      },
      {
        title: 'Requests by class',
        unit: 'reqps',
        queries: one(`sum by (class) (rate(${HTTP}_count[$__rate_interval]))`, '{{class}}'),
      },
      {
        title: 'Latency, by whether the route waits for a provider',
        unit: 's',
        queries: quantiles(HTTP, 'waits'),
      },
      {
        title: 'Failed requests by route',
        unit: 'reqps',
        queries: one(
          `sum by (route, class) (rate(${HTTP}_count{class=~"5xx|504"}[$__rate_interval]))`,
          '{{class}} {{route}}',
        ),
      },
      UP,
      STARTS,
    ],
  },
  {
    uid: 'holdfast-money',
    title: 'Holdfast: money',
    panels: [
      {
        title: 'Open operations by state',
        unit: 'short',
        queries: one('sum by (state) (holdfast_operations)', '{{state}}'),
      },
      {
        title: 'Oldest provider call without a known outcome',
        unit: 's',
        queries: one('max(holdfast_operation_unknown_oldest_seconds)', 'age'),
      },
      {
        title: 'Provider calls by outcome',
        unit: 'reqps',
        queries: one(
          'sum by (provider, outcome) (rate(holdfast_provider_call_seconds_count[$__rate_interval]))',
          '{{provider}} {{outcome}}',
        ),
      },
      {
        title: 'Database closed for recovery',
        unit: 'short',
        queries: [{ expr: 'max by (status) (holdfast_lineage_closed)', legend: '{{status}}' }],
      },
      {
        title: 'Synchronous standbys, and failures of the archive',
        unit: 'short',
        queries: [
          { expr: 'min(holdfast_sync_standbys)', legend: 'standbys' },
          { expr: 'max(holdfast_archive_failing)', legend: 'archive fails' },
        ],
      },
      {
        title: 'Age of the newest archived segment',
        unit: 's',
        queries: one('max(holdfast_archive_lag_seconds)', 'age'),
      },
      {
        title: 'Solvency: breach, and age of the reading in minutes',
        unit: 'short',
        queries: [
          { expr: 'max(holdfast_solvency_breach)', legend: 'breach' },
          {
            expr: '(time() - max(holdfast_solvency_taken_timestamp_seconds)) / 60',
            legend: 'minutes since the reading',
          },
        ],
      },
      {
        title: 'Funds',
        unit: 'short',
        queries: [
          { expr: 'max(holdfast_treasury_usdc)', legend: 'treasury USDC' },
          { expr: 'max(holdfast_treasury_xlm_spendable)', legend: 'treasury XLM to spend' },
          { expr: 'max(holdfast_provider_float_usd)', legend: 'payment provider' },
        ],
      },
      {
        title: 'Open reconciliation exceptions',
        unit: 'short',
        queries: one('sum by (cause) (holdfast_exceptions_open)', '{{cause}}'),
      },
    ],
  },
  {
    uid: 'holdfast-engine',
    title: 'Holdfast: engine and events',
    panels: [
      {
        title: 'Restate, as each process sees it',
        unit: 'short',
        queries: one('holdfast_engine_up', '{{instance}}'),
      },
      {
        title: 'Writes that a fence refused',
        unit: 'reqps',
        queries: one(
          'sum by (rule) (rate(holdfast_fence_refusals_total[$__rate_interval]))',
          '{{rule}}',
        ),
      },
      {
        title: 'Delivery of events',
        unit: 's',
        queries: quantiles('holdfast_event_delivery_seconds', 'way'),
      },
      {
        title: 'Oldest that waits',
        unit: 's',
        queries: [
          { expr: 'max(holdfast_inbox_oldest_seconds)', legend: 'notification' },
          { expr: 'max(holdfast_outbox_oldest_seconds)', legend: 'event' },
        ],
      },
      {
        title: 'Unexpected errors in ten minutes',
        unit: 'short',
        queries: one('sum by (source) (increase(holdfast_bugs_total[10m]))', '{{source}}'),
      },
      {
        title: 'Requests counted without Redis',
        unit: 'reqps',
        queries: one('sum(rate(holdfast_rate_limit_fallback_total[$__rate_interval]))', 'requests'),
      },
    ],
  },
  {
    uid: 'holdfast-resources',
    title: 'Holdfast: resources',
    panels: [
      {
        title: 'Wait for a connection',
        unit: 's',
        queries: quantiles('holdfast_db_pool_wait_seconds', 'job'),
      },
      {
        title: 'Event loop delay',
        unit: 's',
        queries: quantiles('holdfast_eventloop_delay_seconds', 'instance').slice(1),
      },
      {
        title: 'Memory',
        unit: 'bytes',
        queries: one('process_resident_memory_bytes', '{{instance}}'),
      },
      {
        title: 'CPU, cores',
        unit: 'short',
        queries: one('rate(process_cpu_seconds_total[$__rate_interval])', '{{instance}}'),
      },
      {
        title: 'Postings in one commit',
        unit: 'short',
        queries: quantiles('holdfast_posting_batch_size'),
      },
      UP,
    ],
  },
];

/** Grafana replaces it by the step of the graph; elsewhere it is a time. */
export function withInterval(expr: string, interval: string): string {
  return expr.replaceAll('$__rate_interval', interval);
}
