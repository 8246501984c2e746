//! Tests the end of the HTTP server: no request that a client sent in good faith fails.
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { useOpenedEach } from '../../../testing/use-world.ts';
import { openWorld } from '../../../testing/world.ts';
import { watchClients } from './clients.ts';

const REQUEST = 'GET /api/v1/health HTTP/1.1\r\nHost: holdfast.example\r\n\r\n';
const BODY = '{"externalUserId":"ada"}';

const running = useOpenedEach(async () => {
  const world = await openWorld();
  const clients = watchClients(world.http);
  await world.http.listen({ port: 0, host: '127.0.0.1' });
  const ending = new AbortController();
  return {
    server: world.http.server,
    key: (await world.market()).key,
    runOutOfTime: () => ending.abort(),
    /** As the process does. */
    end: async (msMax?: number) => {
      await clients.leave(ending.signal, msMax);
      await world.http.close();
    },
    close: () => world.close(),
  };
});

async function open(): Promise<Socket> {
  const { port } = running.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

async function responseOver(socket: Socket, sent = REQUEST): Promise<string> {
  socket.write(sent);
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return chunk.toString();
}

/** Whether it has ended, at any time. */
function watch(end: Promise<void>): () => boolean {
  let hasEnded = false;
  void end.then(() => {
    hasEnded = true;
  });
  return () => hasEnded;
}

it('closes the port, then serves open connections until their clients have left', async () => {
  const [used, unused, idle] = await Promise.all([open(), open(), open()]);
  const { port } = running.server.address() as AddressInfo;
  expect(await responseOver(used)).toMatch(/^HTTP\/1.1 200 .*connection: keep-alive/is);

  // So long that the end of the test shows that it waited for clients only.
  const ended = running.end(600_000);
  const hasEnded = watch(ended);
  await expect.poll(() => running.server.listening).toBe(false);
  await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow(/ECONNREFUSED/);
  for (const socket of [used, unused]) {
    expect(await responseOver(socket)).toMatch(/^HTTP\/1.1 200 .*connection: close/is);
    await once(socket, 'close');
  }
  await sleep(100);
  expect(hasEnded()).toBe(false);
  idle.end();
  await ended;
});

it('serves clients that connect while the port closes', async () => {
  const { port } = running.server.address() as AddressInfo;
  const late = new Promise<Socket[]>((resolve) => {
    setImmediate(() => resolve(Array.from({ length: 20 }, () => connect(port, '127.0.0.1'))));
  });
  const ended = running.end();
  const sockets = await late;
  for (const response of await Promise.all(sockets.map((each) => responseOver(each))))
    expect(response).toMatch(/^HTTP\/1.1 200 /);
  for (const socket of sockets) socket.end();
  await ended;
});

it('finishes requests in progress, whose clients leave then', async () => {
  const socket = await open();
  const head = `POST /api/v1/users HTTP/1.1\r\nHost: holdfast.example\r\nAuthorization: Bearer ${running.key}\r\n`;
  socket.write(`${head}Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`);
  await once(running.server, 'request');
  const ended = running.end(50);
  const hasEnded = watch(ended);
  await sleep(200);
  expect(hasEnded()).toBe(false);
  expect(await responseOver(socket, BODY)).toMatch(/^HTTP\/1.1 201 .*connection: close/is);
  await once(socket, 'close');
  await ended;
});

it('closes connections that their clients do not leave', async () => {
  const [unused, idle] = await Promise.all([open(), open()]);
  await responseOver(idle);
  const cut = Promise.all([once(unused, 'close'), once(idle, 'close')]);
  await running.end(50);
  await cut;
});

it('waits for no client once the process is out of time', async () => {
  const unused = await open();
  const cut = once(unused, 'close');
  const ended = running.end(60_000);
  await expect.poll(() => running.server.listening).toBe(false);
  running.runOutOfTime();
  await ended;
  await cut;
});
