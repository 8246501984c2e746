//! The metrics of this process, in one registry made from the table, and the functions that record
//! them. Callers anywhere may record: it costs microseconds and never fails.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import {
  HTTP_COMBINATIONS_MAX,
  type LabelsOf,
  LEADER_METRICS,
  type LeaderMetric,
  METRICS,
  type MetricName,
  type MetricRow,
  type NamesOf,
} from './metric-table.ts';
import { currentTrace } from './trace.ts';

const registry = new Registry<typeof Registry.OPENMETRICS_CONTENT_TYPE>();
registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
const counters = new Map<string, Counter>();
const gauges = new Map<string, Gauge>();
const histograms = new Map<string, Histogram>();
for (const [name, row] of Object.entries<MetricRow>(METRICS)) declare(name, row);

let isRecording = true;
let isPrepared = false;

/** A metric without a bound of its age would be taken for the present state. */
const LEADER_MS_MAX = 30_000;
let ledAt = Number.NEGATIVE_INFINITY;

export function count<N extends NamesOf<'counter'>>(name: N, labels: LabelsOf<N>): void {
  if (isRecording) counters.get(name)?.inc(labels);
}

export function observe<N extends NamesOf<'histogram'>>(
  name: N,
  value: number,
  labels: LabelsOf<N>,
): void {
  if (!isRecording) return;
  const id = sampledTraceId();
  histograms
    .get(name)
    ?.observe({ labels, value, ...(id === undefined ? {} : { exemplarLabels: { trace_id: id } }) });
}

export function setGauge<N extends Exclude<NamesOf<'gauge'>, LeaderMetric>>(
  name: N,
  value: number,
  labels: LabelsOf<N>,
): void {
  gauges.get(name)?.set(labels, value);
}

const combinations = new Set<string>();

/** Routes beyond the limit of series share one, so that no caller can add more. */
export function observeRequest(
  seconds: number,
  labels: LabelsOf<'http_server_request_duration_seconds'>,
): void {
  if (!isRecording) return;
  const key = `${labels.route} ${labels.method} ${labels.class}`;
  if (!combinations.has(key)) {
    if (combinations.size >= HTTP_COMBINATIONS_MAX) {
      observe('http_server_request_duration_seconds', seconds, { ...labels, route: 'other' });
      return;
    }
    combinations.add(key);
  }
  observe('http_server_request_duration_seconds', seconds, labels);
}

/** One figure of the state of the database. */
export interface Reading {
  readonly name: LeaderMetric;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Replaces all that this worker has read from the database; undefined when it no longer leads. */
export function setReadings(readings: readonly Reading[] | undefined): void {
  for (const name of LEADER_METRICS) clear(name);
  ledAt = readings === undefined ? Number.NEGATIVE_INFINITY : performance.now();
  for (const { name, labels, value } of readings ?? []) gauges.get(name)?.set(labels, value);
}

/** All metrics of this process, as Prometheus reads them. */
export async function metricsText(): Promise<{ type: string; text: string }> {
  prepareProcessMetrics();
  // A process that was suspended while it led must not show what it read then.
  if (performance.now() - ledAt > LEADER_MS_MAX) setReadings(undefined);
  return { type: registry.contentType, text: await registry.metrics() };
}

/** For measurements of the cost: without recording, the calls above return at once. */
export function setRecording(isOn: boolean): void {
  isRecording = isOn;
}

/** Of a trace that a collector gets: an example of a slow request leads to it. */
function sampledTraceId(): string | undefined {
  const trace = currentTrace();
  return trace?.isSampled ? trace.traceId : undefined;
}

/** Process metrics need timers, so they start with the first reader. */
function prepareProcessMetrics(): void {
  if (isPrepared) return;
  isPrepared = true;
  collectDefaultMetrics({ register: registry as never });
}

function declare(name: string, { type, help, labels, buckets }: MetricRow): void {
  const labelNames = Object.keys(labels);
  const options = { name, help, labelNames, registers: [registry as never] };
  if (type === 'counter') {
    const counter = new Counter(options);
    counters.set(name, counter);
    // A series that appears with its first increment shows no increase.
    for (const values of combinationsOf(labels)) counter.inc(values, 0);
  } else if (type === 'gauge') {
    gauges.set(name, new Gauge(options));
    clear(name as MetricName);
  } else {
    const bounds = buckets === undefined ? {} : { buckets: [...buckets] };
    histograms.set(name, new Histogram({ ...options, ...bounds, enableExemplars: true }));
  }
}

/** A gauge without labels would start at zero, though nothing was measured. */
function clear(name: MetricName): void {
  const gauge = gauges.get(name);
  gauge?.reset();
  if (Object.keys(METRICS[name].labels).length === 0) gauge?.remove();
}

function combinationsOf(labels: MetricRow['labels']): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (all, [label, values]) =>
      all.flatMap((each) =>
        (typeof values === 'string' ? [] : values).map((value) => ({ ...each, [label]: value })),
      ),
    [{}],
  );
}
