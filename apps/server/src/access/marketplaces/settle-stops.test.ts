//! Tests that a stop is called settled as soon as it holds in every process, and not before.
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { connectionSettings } from '../../platform/database/database.ts';
import { transact } from '../../platform/database/transact.ts';
import { stopCalls } from '../../testing/stops.ts';
import { eventually } from '../../testing/until.ts';
import { useWorld } from '../../testing/use-world.ts';
import { settleStops } from './settle-stops.ts';

const world = useWorld();
const { stop, lift, stopsOf, credit } = stopCalls(world);

describe('settledAt', () => {
  it('waits for a transaction that has not seen the stop', async () => {
    const market = await world.market();
    const held = Promise.withResolvers<void>();
    const isOpen = Promise.withResolvers<void>();
    const older = transact(world.app, market.call, async () => {
      isOpen.resolve();
      await held.promise;
    });
    await isOpen.promise;
    let isSettled = false;
    const stopping = stop(market, 'MONEY').then((response) => {
      isSettled = true;
      return response;
    });
    await eventually(3000, async () =>
      expect((await stopsOf(market)).standing).toMatchObject([{ settledAt: null }]),
    );
    expect([isSettled, await settleStops(world.worker)]).toEqual([false, 0]);
    held.resolve();
    await older;
    expect((await stopping).json.data.data.settledAt).not.toBeNull();
  });

  it('is not given after the bound; the job gives it later', async () => {
    const market = await world.market();
    const client = new pg.Client(connectionSettings(world.app.config));
    await client.connect();
    try {
      await client.query('set idle_in_transaction_session_timeout = 0; begin; select 1');
      const { json } = await stop(market, 'MONEY');
      expect(json.data.data.settledAt).toBeNull();
      expect(await settleStops(world.worker)).toBe(0);
    } finally {
      await client.end();
    }
    expect(await settleStops(world.worker)).toBe(1);
    expect((await stopsOf(market)).standing[0]?.settledAt).not.toBeNull();
  });

  it('is after the last change that any of many writers made', async () => {
    const market = await world.market();
    const users = await Promise.all(Array.from({ length: 8 }, () => market.user()));
    let isOver = false;
    const writers = users.map(async (user, at) => {
      while (!isOver) {
        if (at % 2 === 0) await credit(market, user);
        else await market.send('POST', `/users/${user}/balance/reserve`, { body: { amount: '1' } });
      }
    });
    const countOf = async () =>
      (
        await world.rows<{ count: string }>(
          'select count(*) from entry where marketplace_id = $1',
          [market.call.actor.marketplace],
        )
      )[0]?.count;
    for (let round = 0; round < 5; round += 1) {
      const { settledAt } = (await stop(market, 'MONEY')).json.data.data;
      expect(settledAt).not.toBeNull();
      const settled = await countOf();
      await Promise.all(users.map((user) => credit(market, user)));
      expect(await countOf()).toBe(settled);
      await lift(market, 'MONEY');
    }
    isOver = true;
    await Promise.all(writers);
  });
});
