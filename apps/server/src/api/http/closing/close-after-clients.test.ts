//! Tests the end of the HTTP server: no request that a client sent in good faith fails.
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { useOpenedEach } from '../../../testing/use-world.ts';
import { openWorld } from '../../../testing/world.ts';
import { closeAfterClients } from './close-after-clients.ts';

const REQUEST = 'GET /api/v1/health HTTP/1.1\r\nHost: holdfast.example\r\n\r\n';

const world = useOpenedEach(async () => {
  const opened = await openWorld();
  await opened.http.listen({ port: 0, host: '127.0.0.1' });
  return opened;
});

const portOf = () => (world.http.server.address() as AddressInfo).port;

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

it('closes the port, then serves open connections until their clients have left', async () => {
  const port = portOf();
  const [used, unused, idle] = await Promise.all([open(port), open(port), open(port)]);
  expect(await request(used)).toMatch(/^HTTP\/1.1 200 .*connection: keep-alive/is);

  let isClosed = false;
  const closed = closeAfterClients(world.http).then(() => {
    isClosed = true;
  });
  await expect.poll(() => world.http.server.listening).toBe(false);
  await expect(open(port)).rejects.toThrow(/ECONNREFUSED/);
  for (const socket of [used, unused]) {
    expect(await request(socket)).toMatch(/^HTTP\/1.1 200 .*connection: close/is);
    await once(socket, 'close');
  }
  await sleep(100);
  expect(isClosed).toBe(false);
  idle.end();
  await closed;
});

it('serves clients that connect while the port closes', async () => {
  const port = portOf();
  const late = new Promise<Socket[]>((resolve) => {
    setImmediate(() => resolve(Array.from({ length: 20 }, () => connect(port, '127.0.0.1'))));
  });
  const closed = closeAfterClients(world.http);
  for (const response of await Promise.all((await late).map(request)))
    expect(response).toMatch(/^HTTP\/1.1 200 .*connection: close/is);
  await closed;
});

it('closes connections that their clients do not leave', async () => {
  const [unused, idle] = await Promise.all([open(portOf()), open(portOf())]);
  await request(idle);
  const cut = Promise.all([once(unused, 'close'), once(idle, 'close')]);
  await closeAfterClients(world.http, 50);
  await cut;
});
