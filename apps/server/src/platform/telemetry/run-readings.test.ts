import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { useToyWorld } from '../../testing/engine.ts';
import { openToy } from '../../testing/toy-saga.ts';
import { until } from '../../testing/until.ts';
import { connectionSettings } from '../database/database.ts';
import { metricsText } from './metrics.ts';
import { OutboxAge } from './outbox-age.ts';
import { READINGS_SESSION, readDurability, runReadings, takeReadings } from './run-readings.ts';

const { world, market, engine } = useToyWorld();

const running: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
});

/** As the worker wires it. */
const settings = () => connectionSettings(world.worker.config, { session: READINGS_SESSION });

function start(): { stop(): Promise<void> } {
  const { config, clock, log } = world.worker;
  const started = runReadings({ connection: settings(), config, clock, log }, 50);
  running.push(started);
  return started;
}

/** The sessions that hold the lock. */
const leaders = () =>
  world.rows<{ pid: number }>(
    `select l.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'advisory' and l.granted and a.datname = current_database()
       and a.application_name like 'holdfast readings%'`,
  );
const sessions = async () =>
  (
    await world.rows(
      `select from pg_stat_activity where datname = current_database()
         and application_name like 'holdfast readings%'`,
    )
  ).length;

async function readings(): Promise<Record<string, number>> {
  const client = new pg.Client(settings());
  await client.connect();
  try {
    const taken = await takeReadings(client, world.worker.clock, new OutboxAge());
    return Object.fromEntries(
      taken.map(({ name, labels, value }) => [[name, ...Object.values(labels)].join(' '), value]),
    );
  } finally {
    await client.end();
  }
}

const isShown = async () => /^holdfast_inbox_oldest_seconds /m.test((await metricsText()).text);

describe('one worker', () => {
  it('reads at a time; another one takes over when its session is lost', async () => {
    start();
    start();
    await until(async () => (await leaders()).length === 1 && (await sessions()) === 2);
    await until(isShown);
    const [first] = await leaders();
    await world.rows('select pg_terminate_backend($1)', [first?.pid]);
    await until(async () => {
      const [next] = await leaders();
      return next !== undefined && next.pid !== first?.pid;
    });
  });

  it('shows nothing after its end', async () => {
    const only = start();
    await until(isShown);
    await only.stop();
    expect(await isShown()).toBe(false);
  });
});

describe('a reading', () => {
  it('has the operations of all marketplaces, and the age of an open outcome', async () => {
    await openToy(world.app, market.call, { plan: { two: { unknown: 99 } } });
    await engine.runWorker();
    await world.rows(`update operation_step set started_at = started_at - interval '1 hour'`);
    const before = await readings();
    expect(before['holdfast_operations toy-run RUNNING']).toBe(1);
    expect(before['holdfast_operation_unknown_oldest_seconds']).toBeGreaterThan(3500);
    await world.rows(`update operation set status = 'ESCALATED', escalated_at = now()`);
    expect((await readings())['holdfast_operations toy-run ESCALATED']).toBe(1);
  });

  it('has the newest solvency reading', async () => {
    expect(Object.keys(await readings())).not.toContain('holdfast_solvency_breach');
    const group = (asset: string, assets: object, sums: object) => ({ asset, assets, sums });
    const groups = [
      group('USDC', { treasury: '15000000', paymentProvider: '20000000000' }, { spendable: '0' }),
      group('XLM', { treasury: '900000000' }, { spendable: '125000000' }),
    ];
    for (const status of ['BREACH', 'BALANCED', 'BREACH'])
      await world.rows(
        `insert into solvency_reading (taken_at, status, groups, addresses_read, addresses_known)
         values ('2030-01-01', $1, $2, 0, 0)`,
        [status, JSON.stringify(groups)],
      );
    expect(await readings()).toMatchObject({
      holdfast_solvency_breach: 1,
      holdfast_solvency_taken_timestamp_seconds: Date.parse('2030-01-01') / 1000,
      holdfast_treasury_usdc: 1.5,
      holdfast_treasury_xlm_spendable: 12.5,
      holdfast_provider_float_usd: 2000,
    });
  });

  it('has the age of the oldest notification that is not applied', async () => {
    expect((await readings())['holdfast_inbox_oldest_seconds']).toBe(0);
    await world.rows(
      `insert into inbox (provider, provider_event_id, event_type, body, received_at,
         correlation_id, status, attempts, next_try_at)
       values ('payment-provider', 'x1', 'x', '{}', now() - interval '5 minutes', 'c', 'PENDING',
         0, now())`,
    );
    expect((await readings())['holdfast_inbox_oldest_seconds']).toBeGreaterThan(290);
  });
});

describe('the durability', () => {
  it('is shown of a deployment that promises a standby, and of one that archives', async () => {
    const client = new pg.Client(settings());
    await client.connect();
    const figures = async (wanted: 'standby' | 'none') => {
      const taken = await readDurability(client, { HOLDFAST_DURABILITY: wanted });
      return Object.fromEntries(taken.map(({ name, value }) => [name, value]));
    };
    const [{ mode } = { mode: '' }] = await world.rows<{ mode: string }>(
      `select current_setting('archive_mode') as mode`,
    );
    const archive = ['holdfast_archive_lag_seconds', 'holdfast_archive_failing'];
    const expected = mode === 'off' ? [] : archive;
    expect(Object.keys(await figures('none'))).toEqual(expected);
    expect(Object.keys(await figures('standby'))).toEqual(['holdfast_sync_standbys', ...expected]);
    expect(await figures('standby')).toMatchObject({ holdfast_sync_standbys: 0 });
    await client.end();
  });
});
