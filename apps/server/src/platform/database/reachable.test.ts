import pg from 'pg';
import { expect, it } from 'vitest';
import { freePorts } from '../../../../cli/src/local-restate.ts';
import { useWorld } from '../../testing/use-world.ts';
import { StartFault } from '../process/start-fault.ts';
import { untilReachable } from './reachable.ts';

const world = useWorld();

async function connectTo(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.end();
}

it('tries again until the database is there', async () => {
  const [port] = await freePorts(1);
  const urls = [`postgres://a@127.0.0.1:${port}/b`, 'postgres://a@no-such-host.invalid/b'];
  let tries = 0;
  await untilReachable(() => {
    tries += 1;
    return connectTo(urls.shift() ?? world.databaseUrl);
  });
  expect(tries).toBe(3);
});

it('gives up with a sentence', async () => {
  const [port] = await freePorts(1);
  const waiting = untilReachable(
    () => connectTo(`postgres://a:secret@127.0.0.1:${port}/b`),
    undefined,
    100,
  );
  await expect(waiting).rejects.toThrow(StartFault);
  await expect(waiting).rejects.toThrow(
    /^the database could not be reached within 0.1 s \(DATABASE_URL\): .*ECONNREFUSED/,
  );
});

it('does not wait where the database refuses', async () => {
  const url = new URL(world.databaseUrl);
  url.pathname = '/no_such_database';
  await expect(untilReachable(() => connectTo(url.href))).rejects.toThrow(/does not exist/);
});
