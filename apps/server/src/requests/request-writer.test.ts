//! The writer of the request log under a flood, without a database, and at its end.
import { systemClock } from '@holdfast/kernel/clock';
import type pg from 'pg';
import { expect, it } from 'vitest';
import type { AnsweredRequest } from '../platform/answered-request.ts';
import { makeLog } from '../platform/log.ts';
import { RequestWriter } from './request-writer.ts';

const REQUEST: AnsweredRequest = {
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
};

/** Stands for the database: what matters here is what it is asked, and when it is away. */
function writerOver(query: (values: unknown[]) => Promise<unknown>): RequestWriter {
  const pool = {
    query: ({ values }: { values: unknown[] }) => query(values),
  } as unknown as pg.Pool;
  return new RequestWriter({ pool, clock: systemClock, log: makeLog('silent', 'api') });
}

it('writes in batches, and drops and counts what does not fit', async () => {
  const sizes: number[] = [];
  const writer = writerOver(async ([lines]) => sizes.push(JSON.parse(lines as string).length));
  for (let sent = 0; sent < 10_050; sent += 1) writer.note(REQUEST);
  expect(writer.state).toEqual({ written: 0, dropped: 50, waiting: 10_000 });
  await writer.close();
  expect(sizes).toEqual(Array(20).fill(500));
  expect(writer.state).toEqual({ written: 10_000, dropped: 50, waiting: 0 });
});

it('loses a batch that cannot be written, and goes on', async () => {
  let isAway = true;
  const writer = writerOver(async () => {
    if (isAway) throw new Error('away');
  });
  writer.note(REQUEST);
  await writer.flush();
  expect(writer.state).toEqual({ written: 0, dropped: 1, waiting: 0 });
  isAway = false;
  writer.note(REQUEST);
  await writer.close();
  expect(writer.state).toEqual({ written: 1, dropped: 1, waiting: 0 });
});
