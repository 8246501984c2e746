import { type Endpoint, waitsForProvider } from '@holdfast/contract/endpoint';
import { surfaceA } from '@holdfast/contract/surface-a';
import { surfaceB } from '@holdfast/contract/surface-b';
import { beforeEach, describe, expect, it } from 'vitest';
import { HTTP_COMBINATIONS_MAX, METRICS, type MetricRow, ROUTES } from './metric-table.ts';
import { inTrace, startTrace } from './trace.ts';

/** A registry of its own: the test files of one process share the usual one. */
const FRESH = './metrics.ts?fresh';
const { count, metricsText, observe, observeRequest, setGauge, setReadings, setRecording } =
  (await import(FRESH)) as typeof import('./metrics.ts');

/** Those with samples, each once. */
async function lines(start: string): Promise<string[]> {
  const { text } = await metricsText();
  return text.split('\n').filter((line) => line.startsWith(start));
}

beforeEach(() => setRecording(true));

/** Samples of one series of a metric. */
const samplesOf = ({ type, buckets = [] }: MetricRow) =>
  type === 'histogram' ? buckets.length + 3 : 1;

describe('the table', () => {
  const rows = Object.entries<MetricRow>(METRICS);

  it('allows at most 2,000 series in a process', async () => {
    const endpoints: Endpoint[] = [...Object.values(surfaceA), ...Object.values(surfaceB)];
    const waiting = new Set(endpoints.filter(waitsForProvider).map(({ method }) => method));
    expect(waiting.size).toBeGreaterThan(0);
    const ofTable = rows.map(([, row]) => {
      const values = Object.entries(row.labels)
        // A call is of one provider.
        .filter(([label]) => label !== 'provider')
        .map(([, each]) => each);
      // Beyond the limit, every method and class may have the route `other`.
      const combinations = values.includes(ROUTES)
        ? HTTP_COMBINATIONS_MAX + 5 * (6 + waiting.size)
        : values.reduce((product, each) => product * each.length, 1);
      return combinations * samplesOf(row);
    });
    const ofProcess = (await lines('process_')).length + (await lines('nodejs_')).length;
    expect(ofProcess).toBeGreaterThan(20);
    expect(ofTable.reduce((sum, each) => sum + each, ofProcess)).toBeLessThanOrEqual(2000);
  });

  it('names no marketplace and no user', () => {
    const labels = rows.flatMap(([, row]) => Object.keys(row.labels));
    expect(labels.filter((label) => /market|user|order|key|address|id$/.test(label))).toEqual([]);
  });

  it('has the unit and the kind in each name', () => {
    for (const [name, { type, buckets }] of rows) {
      expect(name.endsWith('_total')).toBe(type === 'counter');
      expect(buckets !== undefined).toBe(type === 'histogram');
      expect(buckets ?? []).toEqual((buckets ?? []).toSorted((one, other) => one - other));
    }
  });
});

describe('the registry', () => {
  it('shows counters from zero on, so that their first increment is an increase', async () => {
    expect(await lines('holdfast_bugs_total{source="saga"}')).toEqual([
      'holdfast_bugs_total{source="saga"} 0',
    ]);
    count('holdfast_bugs_total', { source: 'saga' });
    expect(await lines('holdfast_bugs_total{source="saga"}')).toEqual([
      'holdfast_bugs_total{source="saga"} 1',
    ]);
  });

  it('shows a gauge only once it was measured', async () => {
    expect(await lines('holdfast_engine_up')).toEqual([]);
    setGauge('holdfast_engine_up', 0, {});
    expect(await lines('holdfast_engine_up')).toEqual(['holdfast_engine_up 0']);
  });

  it('drops what was read from the database as soon as another worker leads', async () => {
    setReadings([
      { name: 'holdfast_solvency_breach', labels: {}, value: 1 },
      {
        name: 'holdfast_operations',
        labels: { kind: 'fund-escrow', state: 'RUNNING' },
        value: 3,
      },
    ]);
    expect(await lines('holdfast_solvency_breach')).toEqual(['holdfast_solvency_breach 1']);
    expect(await lines('holdfast_operations')).toHaveLength(1);
    setReadings(undefined);
    expect(await lines('holdfast_solvency_breach')).toEqual([]);
    expect(await lines('holdfast_operations')).toEqual([]);
  });

  it('limits the routes, for any paths that callers send', async () => {
    const sent = HTTP_COMBINATIONS_MAX + 50;
    for (let at = 0; at < sent; at += 1)
      observeRequest(0.01, { route: `/x${at}`, method: 'GET', class: '2xx', waits: 'none' });
    const counts = await lines('http_server_request_duration_seconds_count');
    expect(counts.length).toBeLessThanOrEqual(HTTP_COMBINATIONS_MAX + 1);
    expect(counts.find((line) => line.includes('route="other"'))).toMatch(/ 50$/);
  });

  it('gives an example trace where a trace is sampled', async () => {
    const bucket = 'holdfast_operation_unknown_seconds_bucket{le="5"}';
    observe('holdfast_operation_unknown_seconds', 3, {});
    expect((await lines(bucket))[0]).not.toContain('trace_id');
    inTrace(startTrace(0), () => observe('holdfast_operation_unknown_seconds', 3, {}));
    expect((await lines(bucket))[0]).not.toContain('trace_id');
    const trace = startTrace(1);
    inTrace(trace, () => observe('holdfast_operation_unknown_seconds', 3, {}));
    expect((await lines(bucket))[0]).toContain(`# {trace_id="${trace.traceId}"} 3`);
  });

  it('records nothing while it is off', async () => {
    const before = await lines('holdfast_posting_batch_size_count');
    setRecording(false);
    observe('holdfast_posting_batch_size', 3, {});
    expect(await lines('holdfast_posting_batch_size_count')).toEqual(before);
  });
});
