import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { type AcknowledgedWrite, readWrites } from './acknowledged-writes.ts';

const AT = '2026-01-02T03:04:05.000Z';
const LINE = {
  ...{ level: 30, time: AT, role: 'api', requestId: 'r2', method: 'POST', status: 200 },
  ...{ actor: 'key_1', writeId: '100', writeRequestId: 'r1', path: '/api/v1/orders' },
};
const WRITE = {
  ...{ writeId: '100', requestId: 'r1', at: AT, method: 'POST', path: '/api/v1/orders' },
  ...{ status: 200, actorId: 'key_1' },
};

async function read(...lines: readonly string[]) {
  const writes: AcknowledgedWrite[] = [];
  const unreadable: string[] = [];
  const log = Readable.from([`${lines.join('\n')}\n`]);
  for await (const write of readWrites(log, 0, (line) => unreadable.push(line))) writes.push(write);
  return { writes, unreadable };
}

it('names the request that wrote, which an earlier response may have acknowledged', async () => {
  const line = JSON.stringify(LINE);
  expect(await read(line, JSON.stringify({ msg: 'request completed' }))).toEqual({
    writes: [WRITE],
    unreadable: [],
  });
});

it.each([
  ['with a prefix', (line: string) => `api-1 | {web} ${line}`],
  ['in a field', (line: string) => JSON.stringify({ log: `${line}\n`, stream: 'stderr' })],
])('reads a line that a collector has stored %s', async (_, store) => {
  expect(await read(store(JSON.stringify(LINE)))).toEqual({ writes: [WRITE], unreadable: [] });
});

it('reports lines that it cannot read', async () => {
  const cut = JSON.stringify(LINE).slice(0, -5);
  expect(await read(cut)).toEqual({ writes: [], unreadable: [cut] });
});

it('returns a write once, also where its response was repeated', async () => {
  const keyed = { ...LINE, writeId: 'aud_1', idempotencyScope: 'scope' };
  const repeated = { ...keyed, requestId: 'r3', writeId: 'scope' };
  const reused = { ...LINE, requestId: 'r4', writeRequestId: 'r4' };
  const lines = [LINE, LINE, keyed, repeated, reused].map((line) => JSON.stringify(line));
  const { writes } = await read(...lines);
  expect(writes.map(({ requestId, writeId }) => `${requestId}/${writeId}`)).toEqual([
    'r1/100',
    'r1/aud_1',
    'r4/100',
  ]);
});
