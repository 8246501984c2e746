import { createConnection } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { type InternalOptions, type InternalServer, serveInternal } from './internal-server.ts';

async function open(options: Partial<InternalOptions> = {}): Promise<InternalServer> {
  const health = { isReady: async () => true };
  const server = await serveInternal({ host: '127.0.0.1', port: 0, health, ...options });
  onTestFinished(() => server.close());
  return server;
}

async function statuses({ url }: InternalServer): Promise<number[]> {
  const paths = ['/live', '/started', '/ready'];
  return Promise.all(paths.map(async (path) => (await fetch(`${url}${path}`)).status));
}

it('shows a process from its start to its end', async () => {
  const server = await open();
  expect(await statuses(server)).toEqual([200, 503, 503]);
  server.markStarted();
  expect(await statuses(server)).toEqual([200, 200, 200]);
  server.markDraining();
  expect(await statuses(server)).toEqual([200, 200, 503]);
  server.markStarted();
  expect(await statuses(server)).toEqual([200, 200, 503]);
});

it('is alive without being ready', async () => {
  let isReady: () => Promise<boolean> = async () => false;
  const server = await open({ health: { isReady: () => isReady() } });
  server.markStarted();
  expect(await statuses(server)).toEqual([200, 200, 503]);
  isReady = () => Promise.reject(new Error('no database'));
  expect(await statuses(server)).toEqual([200, 200, 503]);
});

it('is not ready when draining starts during the check', async () => {
  const checked = Promise.withResolvers<boolean>();
  const server = await open({ health: { isReady: () => checked.promise } });
  server.markStarted();
  const response = fetch(`${server.url}/ready`);
  await statuses(await open());
  server.markDraining();
  checked.resolve(true);
  expect((await response).status).toBe(503);
});

it('serves metrics where there are some, and nothing else', async () => {
  const bare = await open();
  expect((await fetch(`${bare.url}/metrics`)).status).toBe(404);
  const metrics = async () => ({ type: 'text/plain; version=0.0.4', text: 'up 1\n' });
  const server = await open({ metrics });
  const response = await fetch(`${server.url}/metrics?x=1`);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4');
  expect(await response.text()).toBe('up 1\n');
  expect((await fetch(`${server.url}/`)).status).toBe(404);
});

it('reports metrics that fail, and continues', async () => {
  const server = await open({ metrics: () => Promise.reject(new Error('broken')) });
  expect((await fetch(`${server.url}/metrics`)).status).toBe(500);
  expect((await fetch(`${server.url}/live`)).status).toBe(200);
});

it('can be disabled, and closes with connections open', async () => {
  expect((await open({ port: undefined })).url).toBeUndefined();
  const server = await open();
  const socket = createConnection(Number(new URL(server.url as string).port), '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await server.close();
  await closed;
});
