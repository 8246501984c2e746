import { afterEach, describe, expect, it } from 'vitest';
import { creditBalance } from '../../accounts/books/credit-balance.ts';
import { noEngine } from '../../engine/engine.ts';
import {
  checkEnvelope,
  isNeedMet,
  type LineageReading,
  recordUnknownNumber,
  sendingFault,
} from '../../platform/database/lineage.ts';
import { transact } from '../../platform/database/transact.ts';
import { refusalOf } from '../../testing/escrows.ts';
import { useMarket } from '../../testing/use-world.ts';
import { checkLineage, verdictOn } from './check-lineage.ts';

const { world, market } = useMarket();

/** What Restate has: null for none, undefined while it is away. */
let external: bigint | null | undefined = null;
const run = () =>
  checkLineage({
    ...world.worker,
    engine: {
      ...noEngine,
      advanceMark: async (to) => {
        if (external === undefined) throw new Error('Restate is away');
        if (to !== null && (external === null || to > external)) external = to;
        return external;
      },
    },
  });

const newest = async () =>
  (await world.rows('select number, status, reason from lineage order by number desc limit 1'))[0];
const mark = async () => (await world.rows<{ mark: string }>('select mark from lineage_mark'))[0];

/** As after a promotion or a restore to a point in time: the server has another timeline. */
const changeTimeline = () =>
  world.rows(`update lineage set timeline = '000000FF'
    where number = (select max(number) from lineage)`);
/** As after a start of the server. */
const restart = () =>
  world.rows(`update lineage set compared_start = compared_start - interval '1 hour'
    where number = (select max(number) from lineage)`);

afterEach(async () => {
  external = null;
  await world.rows('delete from lineage where number > 1');
  await world.rows(`update lineage set status = 'OPEN', compared_start = pg_postmaster_start_time(),
    timeline = substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`);
});

const READING: LineageReading = {
  number: 3,
  status: 'OPEN',
  reason: '',
  lostFrom: null,
  checkedAt: 0,
  openedAt: 0,
  openRequest: null,
  isSameServer: true,
  isCompared: false,
  serverStart: '',
  mark: 70n,
  markedAt: 5000,
};

describe('the verdict', () => {
  it.each([
    ['a restart', true, 70n, undefined],
    ['a restart, with Restate wiped', true, null, undefined],
    ['a restart before the last mark was delivered', true, 69n, undefined],
    ['a failover that lost nothing', false, 70n, 'PROMOTED'],
    ['a failover that lost marks', false, 72n, 'REWOUND'],
    ['a restore to a point in time', false, 99n, 'REWOUND'],
    ['a restore, with Restate wiped', false, null, 'REWOUND'],
    ['a storage snapshot that was put back', true, 99n, 'REWOUND'],
  ])('of %s', (_, isSameServer, seen, status) => {
    const checked = verdictOn({ ...READING, isSameServer }, seen);
    expect(checked?.status).toBe(status);
    if (checked === undefined) return;
    expect(checked.lostFrom).toBe(5000);
    expect(checked.markAtLeast).toBe(seen !== null && seen > 70n ? seen : 70n);
  });

  it('of a second failover before the recovery of the first keeps what was lost then', () => {
    const before = { ...READING, isSameServer: false, lostFrom: 1000 } as const;
    expect(verdictOn({ ...before, status: 'PROMOTED' }, 70n)).toMatchObject({
      status: 'PROMOTED',
      lostFrom: 1000,
    });
    expect(verdictOn({ ...before, status: 'REWOUND' }, 70n)).toMatchObject({
      status: 'REWOUND',
      lostFrom: 1000,
    });
  });
});

describe('a database on its usual server', () => {
  it('counts the mark, here first and then in Restate', async () => {
    await world.rows(`update lineage_mark set marked_at = now() - interval '1 hour'`);
    expect(await run()).toBe(0);
    expect(external).toBe(BigInt((await mark())?.mark ?? -1));
  });

  it('sends nothing after a restart until the mark was compared, and writes meanwhile', async () => {
    await restart();
    external = undefined;
    await run();
    const call = market.call;
    expect(
      await transact(world.worker, call, (tx) => sendingFault(tx, { isPayout: false })),
    ).toMatch(/not been compared/);
    expect([isNeedMet('writes'), isNeedMet('sending')]).toEqual([true, false]);
    external = 0n;
    await run();
    await run();
    expect([isNeedMet('writes'), isNeedMet('sending')]).toEqual([true, true]);
    const fault = await transact(world.worker, call, (tx) => sendingFault(tx, { isPayout: true }));
    expect(fault).toBeUndefined();
  });

  it('is rewound where Restate has a newer mark, as after a storage snapshot', async () => {
    await restart();
    external = BigInt((await mark())?.mark ?? 0) + 5n;
    await run();
    expect(await newest()).toMatchObject({
      number: 2,
      status: 'REWOUND',
      reason: /Restate has mark/,
    });
    expect((await mark())?.mark).toBe(String(external));
  });
});

describe('a database on another server', () => {
  const userId = () => market.user();
  const credit = async () =>
    creditBalance(world.app, market.call, await userId(), {
      amount: '1.00',
      currency: 'USD',
      description: 'after the change',
    });

  it('refuses writes of every marketplace from the first moment', async () => {
    const id = await userId();
    await changeTimeline();
    const body = { amount: '1.00', currency: 'USD' };
    for (const [path, sent] of [
      [`/users/${id}/balance/credit`, body],
      ['/users', { externalUserId: 'late' }],
    ] as const) {
      const { status, json, headers } = await market.send('POST', path, { body: sent });
      expect([status, json.error?.code]).toEqual([503, 'RECOVERING']);
      expect(headers['retry-after']).toBe('5');
    }
    expect((await market.send('GET', `/users/${id}`)).status).toBe(200);
    expect((await refusalOf(transact(world.worker, market.call, async () => 1))).code).toBe(
      'RECOVERING',
    );
  });

  it('takes writes once it is checked as promoted, and pays nothing out', async () => {
    await changeTimeline();
    external = BigInt((await mark())?.mark ?? 0);
    await run();
    expect(await newest()).toMatchObject({ number: 2, status: 'PROMOTED' });
    await credit();
    const faults = await transact(world.worker, market.call, async (tx) => [
      await sendingFault(tx, { isPayout: true }),
      await sendingFault(tx, { isPayout: false }),
    ]);
    expect(faults).toEqual([expect.stringContaining('a standby has taken over'), undefined]);
    await run();
    expect([isNeedMet('writes'), isNeedMet('sending')]).toEqual([true, false]);
  });

  it('lets a promoted database use the accounts of escrows, and no channel', async () => {
    await world.rows(`insert into house_wallet (id, kind, number, address, sealed_seed, wrapped_key,
        key_version, created_at)
      values ('wal_lineage', 'channel', 9, 'GCHANNEL', '', '', 'v1', now()) on conflict do nothing`);
    await changeTimeline();
    external = 0n;
    await run();
    const checked = (source: string) =>
      transact(world.worker, market.call, (tx) => checkEnvelope(tx, { source, sequence: 1n }));
    expect(await checked('GCHANNEL')).toMatchObject({ fault: /standby/ });
    expect(await checked('GUSER')).toEqual({ fault: undefined, isKnown: true });
  });

  it('writes nothing while it is rewound, however often it starts', async () => {
    await changeTimeline();
    external = null;
    await run();
    expect(await newest()).toMatchObject({ number: 2, status: 'REWOUND' });
    expect((await refusalOf(credit())).code).toBe('RECOVERING');
    await restart();
    await run();
    await run();
    expect(await newest()).toMatchObject({ number: 2, status: 'REWOUND' });
    expect(isNeedMet('writes')).toBe(false);
  });

  it('is not checked while Restate cannot be read', async () => {
    await changeTimeline();
    external = undefined;
    await run();
    expect(await newest()).toMatchObject({ number: 1 });
  });

  it('is checked once, by whichever worker is first, with an audit record', async () => {
    await changeTimeline();
    await Promise.all(Array.from({ length: 4 }, run));
    expect(await world.rows('select from lineage')).toHaveLength(2);
    const records = await world.rows(
      `select after from audit where action = 'LINEAGE_REWOUND' order by occurred_at desc limit 1`,
    );
    expect(records).toEqual([{ after: { status: 'REWOUND' } }]);
  });
});

describe('an unknown sequence number', () => {
  it('of a house account closes the database, and of a user only bars its own account', async () => {
    await world.rows(`insert into house_wallet (id, kind, number, address, sealed_seed, wrapped_key,
        key_version, created_at)
      values ('wal_number', 'channel', 8, 'GNUMBER', '', '', 'v1', now()) on conflict do nothing`);
    recordUnknownNumber('GSOMEBODY');
    await run();
    expect(await newest()).toMatchObject({ number: 1, status: 'OPEN' });
    recordUnknownNumber('GNUMBER');
    await run();
    expect(await newest()).toMatchObject({
      number: 2,
      status: 'REWOUND',
      reason: 'the channel account GNUMBER has used an unknown sequence number',
    });
  });
});
