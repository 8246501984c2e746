//! The service level objectives, each as a share of bad outcomes over a window.

export interface Slo {
  /** In the names of its recorded series. */
  readonly name: string;
  readonly objective: string;
  /** The share that may be bad over 30 days. */
  readonly budget: number;
  /** The share that was bad over a window, such as `5m`. */
  readonly badRatio: (window: string) => string;
  /** Whether its burn wakes someone; the others open a ticket. */
  readonly isPaged: boolean;
}

const REQUESTS = 'http_server_request_duration_seconds';
const WRITES = 'method=~"POST|PUT|PATCH|DELETE",class="2xx",waits="none"';

export const SLOS: readonly Slo[] = [
  {
    name: 'requests',
    objective: '99.95 % of responses are no 5xx, 504 apart',
    budget: 0.0005,
    badRatio: (window) =>
      `(sum(rate(${REQUESTS}_count{class="5xx"}[${window}])) or vector(0)) / sum(rate(${REQUESTS}_count[${window}]))`,
    isPaged: true,
  },
  {
    name: 'writes',
    objective: '99 % of successful writes that wait for no provider take at most 250 ms',
    budget: 0.01,
    badRatio: (window) => slowShare(REQUESTS, WRITES, '0.25', window),
    isPaged: false,
  },
  {
    name: 'events',
    objective: '99 % of events are in the streams within 1 s of their commit',
    budget: 0.01,
    badRatio: (window) => slowShare('holdfast_event_delivery_seconds', 'way="stream"', '1', window),
    isPaged: true,
  },
  {
    name: 'outcomes',
    objective: '99.9 % of provider calls without a known outcome have one within 5 minutes',
    budget: 0.001,
    badRatio: (window) => slowShare('holdfast_operation_unknown_seconds', '', '300', window),
    isPaged: false,
  },
];

/** The share of observations above a bucket's bound. */
function slowShare(metric: string, labels: string, bound: string, window: string): string {
  const within = [labels, `le="${bound}"`].filter((each) => each !== '').join(',');
  return `1 - sum(rate(${metric}_bucket{${within}}[${window}])) / sum(rate(${metric}_count{${labels}}[${window}]))`;
}

export const WINDOWS = ['5m', '30m', '1h', '6h', '3d'] as const;
type Window = (typeof WINDOWS)[number];

/** The recorded series of a window. */
export function recordedAs({ name }: Slo, window: Window): string {
  return `holdfast:${name}_bad:ratio_rate${window}`;
}

/** Above it in both windows, the budget of 30 days burns this many times too fast. */
export function burns(slo: Slo, factor: number, long: Window, short?: Window): string {
  const limit = `${factor} * ${slo.budget}`;
  return [long, ...(short === undefined ? [] : [short])]
    .map((window) => `${recordedAs(slo, window)} > ${limit}`)
    .join(' and ');
}
