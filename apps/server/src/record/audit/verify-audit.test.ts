import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openChainWorld } from '../../testing/chain-world.ts';
import { useOpened } from '../../testing/use-world.ts';
import { verifyAudit } from './verify-audit.ts';

const chain = useOpened(openChainWorld);

const oneByte = (column: string) =>
  `overlay(${column} placing chr(ascii(right(${column}, 1)) # 1) from length(${column}))`;

describe('verifying an untouched database', () => {
  it('finds every chain whole, to the last link', async () => {
    const verdicts = await chain.verdicts('');
    expect(verdicts.map(({ fault }) => fault)).toEqual(verdicts.map(() => null));
    const heads = await chain.world.rows<{ position: number; hash: string }>(
      `select chain_position::int as position, encode(chain_hash, 'hex') as hash
       from event_head order by marketplace_id`,
    );
    expect(verdicts.map(({ position, hash }) => ({ position, hash }))).toEqual(heads);
    const own = verdicts.find(({ marketplaceId }) => marketplaceId === chain.market.id);
    // Counted now: other tests may have added rows.
    const [links] = await chain.world.rows<{ count: number }>(
      'select count(*)::int as count from audit_link where marketplace_id = $1',
      [chain.number],
    );
    expect(own?.position).toBe(links?.count);
    expect(chain.links.length).toBeGreaterThanOrEqual(7);
  });

  it.each([1, 2, 3, 7])('finds it whole in pages of %i', async (linksAtOnce) => {
    const verdicts = await chain.verdicts('', { linksAtOnce });
    expect(verdicts).toEqual(await chain.verdicts(''));
  });

  it('agrees with the anchors', async () => {
    const verdicts = await chain.verdicts('', { anchors: chain.anchors });
    expect(verdicts.map((each) => [each.fault, each.anchors])).toEqual(
      verdicts.map(() => [null, 1]),
    );
  });

  it('accepts rows that await their link, and continues', async () => {
    await chain.market.user();
    expect(await chain.fault('', { anchors: chain.anchors })).toBeUndefined();
    await chain.world.sequence();
    const verdicts = await chain.verdicts('', { anchors: chain.anchors });
    expect(verdicts.map(({ fault }) => fault)).toEqual(verdicts.map(() => null));
    await chain.market.user();
  });
});

// biome-ignore format: a table.
const AUDIT_COLUMNS: Readonly<Record<string, string>> = {
  marketplace_id: `(select max(id) from marketplace)`,
  id: oneByte('id'),
  occurred_at: `occurred_at + interval '1 microsecond'`,
  action: oneByte('action'),
  resource_type: oneByte('resource_type'),
  resource_id: oneByte('resource_id'),
  actor_type: `'SYSTEM'`,
  actor_id: oneByte('actor_id'),
  result: `'FAILURE'`,
  reason: oneByte('reason'),
  correlation_id: oneByte('correlation_id'),
  before: `'{}'`,
  after: `'{"available":"1.00"}'`,
  entry_id: `(select max(id) from entry)`,
  address: `'192.0.2.9'`,
  user_agent: 'null',
};

// biome-ignore format: a table.
const ENTRY_COLUMNS: Readonly<Record<string, string>> = {
  marketplace_id: `(select max(id) from marketplace)`,
  id: 'id + 1',
  kind: oneByte('kind'),
  currency: oneByte('currency'),
  amount: 'amount + 1',
  from_account: 'from_account + 1000',
  from_bucket: `'reserved'`,
  to_account: 'to_account + 1000',
  to_bucket: `'reserved'`,
  from_seq: '1',
  from_available: '1',
  from_reserved: '1',
  to_seq: 'to_seq + 1000',
  to_available: 'to_available + 1',
  to_reserved: 'to_reserved + 1',
  subject_id: `'ord_1'`,
  actor_id: oneByte('actor_id'),
  correlation_id: oneByte('correlation_id'),
  reference: oneByte('reference'),
  note: oneByte('note'),
  created_at: `created_at + interval '1 microsecond'`,
};

const OBJECT = `'{"limit":"1.00"}'`;

describe('changing one byte of an audit row', () => {
  it('is tried in rows that name their client, and in rows that do not', async () => {
    const of = async ({ id }: { id: string }) =>
      chain.world.rows('select address, user_agent from audit where id = $1', [id]);
    expect(await of(chain.rowAt(1))).toEqual([{ address: null, user_agent: null }]);
    expect(await of(chain.credit())).toEqual([
      { address: '127.0.0.1', user_agent: 'lightMyRequest' },
    ]);
  });

  it('is tried in every column', async () => {
    expect(await columnsOf('audit')).toEqual(Object.keys(AUDIT_COLUMNS));
    expect(await columnsOf('entry')).toEqual(Object.keys(ENTRY_COLUMNS));
  });

  it.each(Object.entries(AUDIT_COLUMNS))('is found and located in %s', async (column, value) => {
    const { position, id, entryId } = chain.credit();
    const fault = await chain.fault(`update audit set ${column} = ${value} where id = '${id}'`);
    const isGone = column === 'id' || column === 'marketplace_id';
    expect(fault).toMatchObject({
      kind: isGone ? 'row_missing' : 'row_changed',
      position,
      auditId: id,
    });
    expect(fault?.message).toContain(id);
    if (!isGone && column !== 'entry_id') expect(fault?.entryId).toBe(entryId);
  });

  it.each(['before', 'after', 'reason', 'entry_id', 'address', 'user_agent'])(
    'is found in %s where there was no value',
    async (column) => {
      const { position, id } = chain.rowAt(1);
      const value = { entry_id: '424242', before: OBJECT, after: OBJECT }[column] ?? `'x'`;
      const fault = await chain.fault(`update audit set ${column} = ${value} where id = '${id}'`);
      expect(fault).toMatchObject({ position, auditId: id });
    },
  );

  it.each(Object.entries(ENTRY_COLUMNS))('is found in its entry: %s', async (column, value) => {
    const { position, id, entryId } = chain.credit();
    const fault = await chain.fault(`update entry set ${column} = ${value} where id = ${entryId}`);
    const isGone = column === 'id' || column === 'marketplace_id';
    expect(fault).toMatchObject({
      kind: isGone ? 'entry_missing' : 'row_changed',
      position,
      auditId: id,
      entryId,
    });
    expect(fault?.message).toContain(String(entryId));
  });

  it('is found in the first row and in the last', async () => {
    for (const { position, id } of [chain.links[0], chain.links.at(-1)].flatMap(
      (each) => each ?? [],
    )) {
      const tamper = `update audit set actor_id = ${oneByte('actor_id')} where id = '${id}'`;
      expect(await chain.fault(tamper)).toMatchObject({
        kind: 'row_changed',
        position,
        auditId: id,
      });
    }
  });

  it('names the first of two changes', async () => {
    const [, second, third] = chain.links;
    const fault = await chain.fault(
      `update audit set reason = 'x' where id in ('${second?.id}', '${third?.id}')`,
    );
    expect(fault?.auditId).toBe(second?.id);
  });

  async function columnsOf(table: string): Promise<string[]> {
    const rows = await chain.world.rows<{ name: string }>(
      `select attname as name from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
      [table],
    );
    return rows.map(({ name }) => name);
  }
});

it('reports no false alarm while rows are written and linked', async () => {
  const user = await chain.market.user();
  let isOver = false;
  const write = async () => {
    while (!isOver)
      await chain.market.send('POST', `/users/${user}/balance/credit`, {
        body: { amount: '1.00' },
      });
  };
  const link = async () => {
    while (!isOver) await chain.world.sequence();
  };
  const verifyRepeatedly = async () => {
    const faults = [];
    for (let round = 0; round < 15; round += 1)
      faults.push(await chain.fault('', { linksAtOnce: 7, anchors: chain.anchors }));
    isOver = true;
    return faults;
  };
  const [faults] = await Promise.all([verifyRepeatedly(), write(), write(), link()]);
  expect(faults).toEqual(faults.map(() => undefined));
});

describe('the role that verifies', () => {
  const asRole = async (role: string) => {
    const client = new pg.Client({
      connectionString: chain.world.databaseUrl,
      options: `-c role=${role}`,
    });
    await client.connect();
    try {
      return await verifyAudit(client);
    } finally {
      await client.end();
    }
  };

  it('may be the auditor', async () => {
    expect(await asRole('holdfast_auditor')).toMatchObject({ chains: 3, broken: 0 });
  });

  it.each(['holdfast_api', 'holdfast_worker', 'holdfast_sequencer'])(
    'must see every marketplace, which %s does not',
    async (role) => {
      await expect(asRole(role)).rejects.toThrow(/every marketplace.*holdfast_auditor/);
    },
  );
});
