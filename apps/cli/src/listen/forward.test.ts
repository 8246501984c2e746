import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Attempt, forwardUntilTaken } from './forward.ts';

const retries = { firstMs: 1, mostMs: 4 };

async function handlerOf(statuses: readonly number[]) {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(statuses[bodies.length - 1] ?? 204, { location: '/elsewhere' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, bodies };
}

const signal = () => new AbortController().signal;

test('resends with growing pauses until a 2xx; a redirect is a failure', async () => {
  const { url, bodies } = await handlerOf([500, 307, 404, 503, 200]);
  const seen: [Attempt['status'], number | undefined][] = [];
  await forwardUntilTaken(
    { url, headers: async () => ({}), body: '{}' },
    ({ status }, retryInMs) => seen.push([status, retryInMs]),
    { signal: signal(), retries },
  );
  expect(seen).toEqual([
    [500, 1],
    [307, 2],
    [404, 4],
    [503, 4],
    [200, undefined],
  ]);
  expect(bodies).toEqual(['{}', '{}', '{}', '{}', '{}']);
});

test('reports an unreachable handler, and ends with its signal', async () => {
  const ending = new AbortController();
  const reasons: (string | undefined)[] = [];
  const forwarding = forwardUntilTaken(
    { url: 'http://127.0.0.1:1/', headers: async () => ({}), body: '{}' },
    ({ reason }) => {
      reasons.push(reason);
      ending.abort(new Error('enough'));
    },
    { signal: ending.signal, retries },
  );
  await expect(forwarding).rejects.toThrow();
  expect(reasons).toHaveLength(1);
});
