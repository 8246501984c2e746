import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLog } from '../process/log.ts';
import {
  childOf,
  currentTrace,
  inTrace,
  readTraceparent,
  startTrace,
  traceparentOf,
} from './trace.ts';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';

describe('a traceparent', () => {
  it.each([
    [`00-${TRACE_ID}-${SPAN_ID}-01`, true],
    [`00-${TRACE_ID}-${SPAN_ID}-00`, false],
    [`cc-${TRACE_ID}-${SPAN_ID}-03-more`, true],
  ])('is read: %s', (text, isSampled) => {
    expect(readTraceparent(text)).toEqual({ traceId: TRACE_ID, spanId: SPAN_ID, isSampled });
  });

  it.each([
    undefined,
    null,
    '',
    `ff-${TRACE_ID}-${SPAN_ID}-01`,
    `00-${TRACE_ID.toUpperCase()}-${SPAN_ID}-01`,
    `00-${'0'.repeat(32)}-${SPAN_ID}-01`,
    `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
    `00-${TRACE_ID}-${SPAN_ID}`,
  ])('is ignored if it is invalid: %s', (text) => {
    expect(readTraceparent(text)).toBeUndefined();
  });

  it('is written as it was read, with the span of the child', () => {
    const text = `00-${TRACE_ID}-${SPAN_ID}-01`;
    const trace = readTraceparent(text);
    if (trace === undefined) throw new Error('it is valid');
    expect(traceparentOf(trace)).toBe(text);
    const child = childOf(trace);
    expect(child).toMatchObject({ traceId: TRACE_ID, isSampled: true });
    expect(child.spanId).toMatch(/^(?!b7ad6b7169203331)[0-9a-f]{16}$/);
  });
});

it('the sampled share of traces is the one that was set', () => {
  const sampled = (share: number) =>
    Array.from({ length: 4000 }, () => startTrace(share)).filter(({ isSampled }) => isSampled);
  expect(sampled(0)).toHaveLength(0);
  expect(sampled(1)).toHaveLength(4000);
  expect(sampled(0.25).length).toBeGreaterThan(800);
  expect(sampled(0.25).length).toBeLessThan(1200);
});

it('work has its trace after a wait, beside work of another trace, and in its log lines', async () => {
  const lines: string[] = [];
  const log = createLog('info', 'api', { write: (line) => void lines.push(line) });
  const work = async () => {
    await sleep(1);
    log.info({}, 'job completed');
    return currentTrace();
  };
  const [one, other] = [startTrace(0), startTrace(0)];
  expect(await Promise.all([inTrace(one, work), inTrace(other, work), work()])).toEqual([
    one,
    other,
    undefined,
  ]);
  const ids = lines.map((line) => (JSON.parse(line) as { trace_id?: string }).trace_id);
  expect(ids).toEqual([one.traceId, other.traceId, undefined]);
});
