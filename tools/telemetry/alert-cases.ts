//! What each alert must do: series over time, in promtool's notation, with the times at which it
//! fires. Every alert has a case in which it fires and one in which it must not.

export interface AlertCase {
  readonly alert: string;
  readonly name: string;
  /** A sample a minute, unless `interval` says otherwise. */
  readonly series: Readonly<Record<string, string>>;
  readonly interval?: string;
  readonly at: string;
  readonly fires: boolean;
}

const HTTP = 'http_server_request_duration_seconds';
const HEALTHY = {
  'up{job="worker",instance="a"}': '1x30',
  'up{job="worker",instance="b"}': '1x30',
  'up{job="api",instance="a"}': '1x30',
  'holdfast_engine_up{instance="a"}': '1x30',
  holdfast_inbox_oldest_seconds: '0x30',
};

function pair(
  alert: string,
  at: string,
  fires: [name: string, series: AlertCase['series']],
  ...silent: [name: string, series: AlertCase['series']][]
): AlertCase[] {
  return [
    { alert, at, name: fires[0], series: fires[1], fires: true },
    ...silent.map(([name, series]) => ({ alert, at, name, series, fires: false })),
  ];
}

const requests = (good: string, bad: string) => ({
  [`${HTTP}_count{class="2xx"}`]: good,
  [`${HTTP}_count{class="5xx"}`]: bad,
});
const calls = (done: string, unknown: string) => ({
  'holdfast_provider_call_seconds_count{provider="payment_provider",outcome="done"}': done,
  'holdfast_provider_call_seconds_count{provider="payment_provider",outcome="unknown"}': unknown,
});
const events = (soon: string, all: string) => ({
  'holdfast_event_delivery_seconds_bucket{way="stream",le="1"}': soon,
  'holdfast_event_delivery_seconds_count{way="stream"}': all,
});
const writes = (soon: string, all: string, waits: 'none' | 'provider') => ({
  [`${HTTP}_bucket{method="POST",class="2xx",waits="${waits}",le="0.25"}`]: soon,
  [`${HTTP}_count{method="POST",class="2xx",waits="${waits}"}`]: all,
});
const waits = (soon: string, all: string) => ({
  'holdfast_db_pool_wait_seconds_bucket{job="api",le="0.5"}': soon,
  'holdfast_db_pool_wait_seconds_bucket{job="api",le="1"}': all,
  'holdfast_db_pool_wait_seconds_bucket{job="api",le="+Inf"}': all,
});

export const ALERT_CASES: readonly AlertCase[] = [
  ...pair(
    'BurnFast',
    '70m',
    ['1 % of requests fail', requests('0+990x80', '0+10x80')],
    ['0.04 % of requests fail', requests('0+9996x80', '0+4x80')],
    ['a peak is over', requests('0+990x80', '0+10x30 300x50')],
    ['no request fails', requests('0+1000x80', '0x80')],
    ['nothing is sent', {}],
  ),
  ...pair(
    'BurnFast',
    '70m',
    ['a fifth of the events is late', events('0+80x80', '0+100x80')],
    ['a hundredth of the events is late', events('0+99x80', '0+100x80')],
  ),
  ...[
    { name: '0.1 % of requests fail for days', series: requests('0+9990x80', '0+10x80') },
    { name: 'a hundredth is late for days', series: events('0+985x80', '0+1000x80') },
    { name: 'a fiftieth of the writes is slow', series: writes('0+98x80', '0+100x80', 'none') },
  ].map((each) => ({ ...each, alert: 'BurnSlow', interval: '1h', at: '76h', fires: true })),
  {
    alert: 'BurnSlow',
    name: 'a provider is slow',
    series: { ...writes('0+10x80', '0+100x80', 'provider'), ...writes('0+9x80', '0+9x80', 'none') },
    interval: '1h',
    at: '76h',
    fires: false,
  },
  {
    alert: 'BurnSlow',
    name: '0.03 % of requests fail for days',
    series: requests('0+9997x80', '0+3x80'),
    interval: '1h',
    at: '76h',
    fires: false,
  },
  ...pair(
    'Saturated',
    '20m',
    ['2 % wait for long', waits('0+98x30', '0+100x30')],
    ['0.5 % wait for long', waits('0+995x30', '0+1000x30')],
  ),
  ...pair(
    'Escalated',
    '10m',
    ['one of two workers shows it', { 'holdfast_operations{state="ESCALATED",kind="x"}': '1x30' }],
    ['it was resolved', { 'holdfast_operations{state="ESCALATED",kind="x"}': '1x5 0x20' }],
    ['operations run', { 'holdfast_operations{state="RUNNING",kind="x"}': '9x30' }],
  ),
  ...pair(
    'OutcomeOpen',
    '10m',
    ['for more than 15 minutes', { holdfast_operation_unknown_oldest_seconds: '800+60x30' }],
    ['for ten minutes', { holdfast_operation_unknown_oldest_seconds: '0+60x30' }],
  ),
  ...pair(
    'ProviderFailing',
    '20m',
    ['a quarter is unknown', calls('0+75x30', '0+25x30')],
    ['a tenth is unknown', calls('0+90x30', '0+10x30')],
    ['the provider is not called', {}],
  ),
  ...pair(
    'Stuck',
    '10m',
    ['an old notification', { holdfast_inbox_oldest_seconds: '121x30' }],
    ['a recent notification', { holdfast_inbox_oldest_seconds: '100x30' }],
  ),
  ...pair(
    'Stuck',
    '10m',
    ['an old event', { holdfast_outbox_oldest_seconds: '20x30' }],
    ['a recent event', { holdfast_outbox_oldest_seconds: '10x30' }],
  ),
  ...pair(
    'Insolvent',
    '3m',
    ['a breach', { holdfast_solvency_breach: '1x30' }],
    [
      'balanced',
      { holdfast_solvency_breach: '0x30', holdfast_solvency_taken_timestamp_seconds: '0+60x30' },
    ],
  ),
  ...pair(
    'Insolvent',
    '10m',
    ['no reading', { holdfast_solvency_taken_timestamp_seconds: '60x30' }],
    ['a deployment without readings', HEALTHY],
  ),
  ...pair(
    'Rewound',
    '1m',
    ['a restored database', { 'holdfast_lineage_closed{status="REWOUND"}': '1x30' }],
    ['an open one', { 'holdfast_lineage_closed{status="REWOUND"}': '0x30' }],
  ),
  ...pair(
    'Unsafe',
    '10m',
    ['the standby is lost', { holdfast_sync_standbys: '1x2 0x30' }],
    ['it was away for half a minute', { holdfast_sync_standbys: '1x6 0x0 1x30' }],
    ['a standby and no archive', { holdfast_sync_standbys: '1x30' }],
  ),
  ...pair(
    'Unsafe',
    '10m',
    ['nothing was archived for minutes', { holdfast_archive_lag_seconds: '30+60x30' }],
    ['an archive without a standby', { holdfast_archive_lag_seconds: '29x30' }],
  ),
  ...pair(
    'ArchiveFailing',
    '10m',
    ['the archive is full', { holdfast_archive_failing: '1x30' }],
    ['one try failed', { holdfast_archive_failing: '0x5 1x0 0x30' }],
  ),
  ...pair(
    'Broken',
    '8m',
    ['an error', { 'holdfast_bugs_total{source="saga"}': '0x5 1x30' }],
    ['none', { 'holdfast_bugs_total{source="saga"}': '7x30' }],
  ),
  ...pair(
    'Broken',
    '17m',
    ['errors', { 'holdfast_bugs_total{source="request"}': '0x5 0+1x30' }],
    ['an error long ago', { 'holdfast_bugs_total{source="request"}': '0x2 1x30' }],
  ),
  ...pair(
    'Gone',
    '10m',
    ['a worker is down', { ...HEALTHY, 'up{job="worker",instance="b"}': '0x30' }],
    ['all is there', HEALTHY],
    ['a short restart', { ...HEALTHY, 'up{job="worker",instance="b"}': '1x5 0x0 1x30' }],
  ),
  ...[
    { name: 'Restate is down', 'holdfast_engine_up{instance="a"}': '0x30' },
    { name: 'no API server', 'up{job="api",instance="a"}': '0x30' },
    { name: 'no worker reads the state', holdfast_inbox_oldest_seconds: '_x30' },
  ].map(({ name, ...series }) => ({
    ...{ alert: 'Gone', at: '10m', name, fires: true },
    series: { ...HEALTHY, ...series } as AlertCase['series'],
  })),
  ...pair(
    'LowTreasury',
    '20m',
    ['little', { holdfast_treasury_usdc: '999x30' }],
    ['enough', { holdfast_treasury_usdc: '1000x30' }],
  ),
  ...pair(
    'LowXlmReserve',
    '20m',
    ['little', { holdfast_treasury_xlm_spendable: '99x30' }],
    ['enough', { holdfast_treasury_xlm_spendable: '100x30' }],
  ),
  ...pair(
    'LowProviderFloat',
    '20m',
    ['little', { holdfast_provider_float_usd: '999x30' }],
    ['enough', { holdfast_provider_float_usd: '1000x30' }],
  ),
];
