//! The reference page of the metrics that every process exposes.
import {
  HTTP_COMBINATIONS_MAX,
  METRICS,
  type MetricRow,
} from '../../apps/server/src/platform/telemetry/metric-table.ts';
import { code, codes, paragraphs, table } from './markdown.ts';

const LISTED_MAX = 6;

export function metricsPage(): string {
  return paragraphs(
    '# Metrics',
    'Every API server and worker exposes these at `/metrics` of its internal port, in the ' +
      'OpenMetrics format; [Watch](../operations/watch.md) shows how to scrape them. Histograms ' +
      'have the samples `_bucket`, `_sum` and `_count`, and name a trace as exemplar where there ' +
      'is one.',
    'No label names a marketplace or a user. A process has at most 2,000 series: the HTTP ' +
      `histogram has at most ${HTTP_COMBINATIONS_MAX} combinations of labels, and further routes ` +
      'share the route `other`.',
    table(
      ['Metric', 'Type', 'Labels', 'From', 'Meaning'],
      Object.entries<MetricRow>(METRICS).map(([name, row]) => [
        code(name),
        row.type,
        labelsOf(row),
        FROM[row.from],
        row.help,
      ]),
    ),
    'One worker reads the metrics marked "one worker" from the database every 10 seconds. The ' +
      'others do not expose them. If it ends, another worker takes over.',
    'Every process also exposes the usual metrics of Node.js: `process_start_time_seconds`, ' +
      '`process_cpu_seconds_total`, `process_resident_memory_bytes`, and those that start with ' +
      '`nodejs_`.',
  );
}

const FROM: Readonly<Record<MetricRow['from'], string>> = {
  all: 'every process',
  api: 'API servers',
  worker: 'workers',
  leader: 'one worker',
};

function labelsOf({ labels }: MetricRow): string {
  return Object.entries(labels)
    .map(([name, values]) =>
      typeof values === 'string' || values.length > LISTED_MAX
        ? code(name)
        : `${code(name)}: ${codes(values)}`,
    )
    .join('; ');
}
