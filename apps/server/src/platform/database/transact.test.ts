import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../testing/refusal.ts';
import { useWorld } from '../../testing/use-world.ts';
import { openWorld } from '../../testing/world.ts';
import { emit } from './outbox.ts';
import { sql } from './sql.ts';
import { read, type Tx, transact } from './transact.ts';

const world = useWorld();

describe('a transaction', () => {
  it('is serializable: two that would break a rule together do not both win', async () => {
    const market = await world.market();
    await world.rows('create table doctor (name text primary key, on_call boolean not null)');
    await world.rows('grant select, update on doctor to holdfast_api');
    await world.rows(`insert into doctor values ('a', true), ('b', true)`);
    let waiting = 0;
    let go = () => {};
    const both = new Promise<void>((resolve) => {
      go = resolve;
    });
    const leave = (name: string) =>
      transact(world.app, market.call, async (tx) => {
        const [row] = await tx.query<{ count: string }>(
          sql`select count(*) from doctor where on_call`,
        );
        waiting += 1;
        if (waiting === 2) go();
        await both;
        if (row?.count === '2')
          await tx.query(sql`update doctor set on_call = false where name = ${name}`);
      });
    await Promise.all([leave('a'), leave('b')]);
    expect(await world.rows('select count(*) from doctor where on_call')).toEqual([{ count: '1' }]);
  });

  it('is never opened for an anonymous actor', async () => {
    const call = {
      actor: { kind: 'anonymous', id: 'anonymous' },
      requestId: randomUUID(),
      idempotency: undefined,
    } as const;
    await expect(read(world.app, call, async () => 'seen')).rejects.toThrow(/anonymous actor/);
  });

  it('gives up after twenty attempts', async () => {
    const market = await world.market();
    let attempts = 0;
    const always = transact(world.app, market.call, async () => {
      attempts += 1;
      throw Object.assign(new Error('could not serialize'), { code: '40001' });
    });
    await expect(always).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(attempts).toBe(20);
  });

  it('runs again, once, when the process paused and PostgreSQL ended its session', async () => {
    const market = await world.market();
    let attempts = 0;
    const pausedOnce = async (tx: Tx) => {
      attempts += 1;
      const [row] = await tx.query<{ attempt: number }>(sql`select ${attempts}::int as attempt`);
      if (attempts === 1) {
        await tx.query(sql`set local idle_in_transaction_session_timeout = 1`);
        await sleep(50);
      }
      return row?.attempt;
    };
    expect(await transact(world.app, market.call, pausedOnce)).toBe(2);
    attempts = 0;
    expect(await read(world.app, market.call, pausedOnce)).toBe(2);
  });

  it('whose session PostgreSQL ends every time is SERVICE_UNAVAILABLE, which is no bug', async () => {
    const market = await world.market();
    const sessionEnded = async () => {
      throw Object.assign(new Error('terminating connection'), { code: '25P03' });
    };
    const refused = { code: 'SERVICE_UNAVAILABLE', details: { reason: 'database unavailable' } };
    const both = [transact, read].map((run) => run(world.app, market.call, sessionEnded));
    await Promise.all(both.map((each) => expect(each).rejects.toMatchObject(refused)));
  });

  it('leaves nothing behind when it fails', async () => {
    const market = await world.market();
    const failing = transact(world.app, market.call, async (tx) => {
      await emit(tx, 'user.created', 'usr_x', {
        userId: 'usr_1k08xma8hx9nfnxfjw85ag4b3g4',
        externalUserId: 'x',
        type: 'BOTH',
        status: 'ACTIVE',
      });
      throw new Error('after the event');
    });
    await expect(failing).rejects.toThrow('after the event');
    expect(await world.rows(`select count(*) from outbox where aggregate_id = 'usr_x'`)).toEqual([
      { count: '0' },
    ]);
  });

  it('returns SERVICE_UNAVAILABLE while the database is down, then recovers', async () => {
    const away = await openWorld();
    const market = await away.market();
    await away.rows(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    const first = await read(away.app, market.call, (tx) => tx.query(sql`select 1`)).catch(
      (error: unknown) => error,
    );
    expect(Array.isArray(first) || isRefusal('SERVICE_UNAVAILABLE')(first)).toBe(true);
    await expect(
      read(away.app, market.call, (tx) => tx.query(sql`select 1 as one`)),
    ).resolves.toEqual([{ one: 1 }]);
    await away.close();
  });
});

describe('a row that another transaction holds', () => {
  it('is waited for up to a limit; then SERVICE_UNAVAILABLE, which is no bug', async () => {
    const market = await world.market();
    const user = await market.user();
    const held = sql`select 1 from users where id = ${user} for update`;
    await transact(world.app, market.call, async (holder) => {
      await holder.query(held);
      const waiting = transact(world.app, market.call, async (tx) => {
        await tx.query(sql`set local lock_timeout = '50ms'`);
        await tx.query(held);
      });
      await expect(waiting).rejects.toSatisfy(isRefusal('SERVICE_UNAVAILABLE'));
    });
  });
});

describe('emitting an event', () => {
  it('treats an event that does not match its published schema as a bug', async () => {
    const market = await world.market();
    const wrong = { userId: 'usr_1', externalUserId: 'x', type: 'BOTH', status: 'ASLEEP' } as never;
    await expect(
      transact(world.app, market.call, (tx) => emit(tx, 'user.created', 'usr_1', wrong)),
    ).rejects.toThrow(/as published/);
  });
});

describe('an Idempotency-Key', () => {
  const newClaim = () => ({
    key: randomUUID(),
    scopeHash: randomUUID(),
    requestHash: randomUUID(),
    render: () => ({ status: 200, body: '{}' }),
    renderRefusal: () => undefined,
  });

  it('of a running request returns IN_PROGRESS to a second request with it', async () => {
    const market = await world.market();
    const call = { ...market.call, idempotency: newClaim() };
    const started = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const first = transact(world.app, call, () => {
      started.resolve();
      return ended.promise;
    });
    await started.promise;
    await expect(transact(world.app, call, async () => undefined)).rejects.toSatisfy(
      isRefusal('IDEMPOTENCY_KEY_IN_PROGRESS'),
    );
    ended.resolve();
    await first;
    await expect(transact(world.app, call, async () => undefined)).rejects.toThrow(
      'response already stored',
    );
  });

  it('of a request that failed before any effect is free again', async () => {
    const market = await world.market();
    const call = { ...market.call, idempotency: newClaim() };
    await expect(
      transact(world.app, call, () => Promise.reject(new Error('crash'))),
    ).rejects.toThrow('crash');
    await expect(transact(world.app, call, async () => 'done')).resolves.toBe('done');
  });

  it('of a completed request is refused to any other request', async () => {
    const market = await world.market();
    const idempotency = newClaim();
    await transact(world.app, { ...market.call, idempotency }, async () => undefined);
    const other = { ...idempotency, requestHash: randomUUID() };
    let isDone = false;
    const second = transact(world.app, { ...market.call, idempotency: other }, async () => {
      isDone = true;
    });
    await expect(second).rejects.toSatisfy(isRefusal('IDEMPOTENCY_KEY_REUSED'));
    expect(isDone).toBe(false);
  });
});
