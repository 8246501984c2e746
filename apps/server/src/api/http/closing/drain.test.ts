//! Tests the end of the HTTP server: no request that a client sent in good faith fails.
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { useWorld } from '../../../testing/use-world.ts';
import { drainOf } from './drain.ts';

const world = useWorld();

const REQUEST = 'GET /api/v1/health HTTP/1.1\r\nHost: holdfast.example\r\n\r\n';

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

async function request(socket: Socket): Promise<string> {
  socket.write(REQUEST);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

it('serves on, ends each connection, then serves what is on its way', async () => {
  const drain = drainOf(world.http);
  await world.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = world.http.server.address() as AddressInfo;
  const [used, unused, idle] = await Promise.all([open(port), open(port), open(port)]);
  expect(await request(used)).toMatch(/^HTTP\/1.1 200 .*connection: keep-alive/is);
  expect(await request(idle)).toMatch(/^HTTP\/1.1 200/);

  drain.start();
  expect(await request(used)).toMatch(/^HTTP\/1.1 200 .*connection: close/is);
  await once(used, 'close');
  expect(await request(await open(port))).toMatch(/^HTTP\/1.1 200 .*connection: close/is);

  const cut = once(idle, 'close');
  const closed = drain.close();
  await expect.poll(() => world.http.server.listening).toBe(false);
  await expect(open(port)).rejects.toThrow(/ECONNREFUSED/);
  expect(await request(unused)).toMatch(/^HTTP\/1.1 200 .*connection: close/is);
  await closed;
  await cut;
});
