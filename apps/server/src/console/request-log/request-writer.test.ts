//! Tests of the request-log writer under a flood, without a database, and at shutdown.
import { systemClock } from '@holdfast/kernel/clock';
import type pg from 'pg';
import { expect, it } from 'vitest';
import type { CompletedRequest } from '../../platform/completed-request.ts';
import { createLog } from '../../platform/process/log.ts';
import { RequestWriter } from './request-writer.ts';

const REQUEST: CompletedRequest = {
  marketplace: '1',
  at: 0,
  method: 'GET',
  route: '/orders',
  path: '/api/v1/orders',
  status: 200,
  latencyMs: 1,
  actorId: 'key_1',
  requestId: 'r',
  idempotencyKey: null,
  isReplay: false,
  errorCode: null,
  address: '192.0.2.1',
  userAgent: null,
};

/** Stands for the database: these tests check its queries, and its failures. */
function writerOver(query: (values: unknown[]) => Promise<unknown>): RequestWriter {
  const pool = {
    query: ({ values }: { values: unknown[] }) => query(values),
  } as unknown as pg.Pool;
  return new RequestWriter({ pool, clock: systemClock, log: createLog('silent', 'api') });
}

it('writes in batches, and drops and counts the overflow', async () => {
  const sizes: number[] = [];
  const writer = writerOver(async ([lines]) => sizes.push(JSON.parse(lines as string).length));
  for (let sent = 0; sent < 10_050; sent += 1) writer.record(REQUEST);
  expect(writer.state).toEqual({ written: 0, dropped: 50, waiting: 10_000 });
  await writer.close();
  expect(sizes).toEqual(Array(20).fill(500));
  expect(writer.state).toEqual({ written: 10_000, dropped: 50, waiting: 0 });
});

it('loses a batch that cannot be written, and continues', async () => {
  let isAway = true;
  const writer = writerOver(async () => {
    if (isAway) throw new Error('away');
  });
  writer.record(REQUEST);
  await writer.flush();
  expect(writer.state).toEqual({ written: 0, dropped: 1, waiting: 0 });
  isAway = false;
  writer.record(REQUEST);
  await writer.close();
  expect(writer.state).toEqual({ written: 1, dropped: 1, waiting: 0 });
});
