//! Tests of the links between rows, the end of a chain, and its anchors.
import { describe, expect, it } from 'vitest';
import { anchorsOf, openChainWorld } from '../../testing/chain-world.ts';
import { useOpened } from '../../testing/use-world.ts';
import { NO_ANCHORS, readAnchors } from './anchors.ts';

const chain = useOpened(openChainWorld);

const linkOf = (position: number) =>
  `audit_link.marketplace_id = ${chain.number} and audit_link.position = ${position}`;
const dropPositionKeys = `do $$ declare key regclass; begin
  for key in select indexrelid from pg_index join pg_partition_tree('audit_link') on relid = indrelid
    where indisunique and not indisprimary loop execute format('drop index %s', key); end loop; end $$;`;
const flip = (hash: string) => `set_byte(${hash}, 31, get_byte(${hash}, 31) # 1)`;
const last = () => chain.links.length;
const pages = [1, 2, 5000];

/** The attack of an insider who knows the format: recomputes every hash from a position on. */
const rehash = (from: number) => `do $$ declare
    link record;
    previous bytea := coalesce((select hash from audit_link where marketplace_id = ${chain.number}
      and position = ${from - 1}), decode(repeat('00', 32), 'hex'));
  begin
    for link in select l.position, l.audit_id, audit_content(a, e) as content from audit_link l
      join audit a on a.marketplace_id = l.marketplace_id and a.id = l.audit_id
      left join entry e on e.marketplace_id = a.marketplace_id and e.id = a.entry_id
      where l.marketplace_id = ${chain.number} and l.position >= ${from} order by l.position
    loop
      previous := sha256(previous || convert_to(link.content, 'UTF8'));
      update audit_link set hash = previous
      where marketplace_id = ${chain.number} and audit_id = link.audit_id;
      update event_head set chain_hash = previous, chain_position = link.position
      where marketplace_id = ${chain.number};
    end loop;
  end $$;`;

const cut = (from: number, number = chain.number) =>
  `delete from audit where marketplace_id = ${number} and id in (select audit_id
     from audit_link where marketplace_id = ${number} and position >= ${from});
   delete from audit_link where marketplace_id = ${number} and position >= ${from};
   update event_head set chain_position = ${from - 1}, chain_hash = (select hash from audit_link
     where marketplace_id = ${number} and position = ${from - 1})
   where marketplace_id = ${number};`;

describe('verifying a link', () => {
  it.each([1, 3, 'last'] as const)(
    'distinguishes a changed hash from a changed row: %s',
    async (at) => {
      const { position, id } = chain.rowAt(at === 'last' ? last() : at);
      const tamper = `update audit_link set hash = ${flip('hash')} where ${linkOf(position)}`;
      const fault = await chain.fault(tamper);
      expect(fault).toMatchObject({ kind: 'link_changed', position, auditId: id });
    },
  );

  it.each(pages)('names the row of a missing link, in pages of %i', async (linksAtOnce) => {
    const { position, id } = chain.rowAt(3);
    const fault = await chain.fault(`delete from audit_link where ${linkOf(3)}`, { linksAtOnce });
    expect(fault).toMatchObject({ kind: 'link_missing', position, auditId: id });
    expect(fault?.message).toContain(id);
  });

  it('names the adjacent links when the link and its row are missing', async () => {
    const fault = await chain.fault(
      `delete from audit_link where ${linkOf(3)}; delete from audit where id = '${chain.rowAt(3).id}'`,
    );
    expect(fault).toMatchObject({ kind: 'link_missing', position: 3, auditId: null });
    expect(fault?.message).toContain(chain.rowAt(2).id);
    expect(fault?.message).toContain(chain.rowAt(4).id);
  });

  it('finds the gap when link and row are missing and the others moved up', async () => {
    const fault = await chain.fault(
      `${dropPositionKeys} delete from audit where id = '${chain.rowAt(3).id}';
       delete from audit_link where ${linkOf(3)};
       update audit_link set position = position - 1 where marketplace_id = ${chain.number} and position > 3;
       update event_head set chain_position = chain_position - 1 where marketplace_id = ${chain.number}`,
    );
    expect(fault).toMatchObject({ kind: 'row_changed', position: 3, auditId: chain.rowAt(4).id });
    expect(fault?.message).toContain('an earlier link was removed');
  });

  it('names the missing row of a link', async () => {
    const { position, id } = chain.rowAt(3);
    const fault = await chain.fault(`delete from audit where id = '${id}'`);
    expect(fault).toMatchObject({ kind: 'row_missing', position, auditId: id });
  });

  it('names both when an entry is missing', async () => {
    const { position, id, entryId } = chain.credit();
    const fault = await chain.fault(`delete from entry where id = ${entryId}`);
    expect(fault).toMatchObject({ kind: 'entry_missing', position, auditId: id, entryId });
  });

  it('finds a duplicate link, also where no index can forbid it', async () => {
    const fault = await chain.fault(
      `insert into audit_link values (${chain.number}, 3, 'other', sha256('other'))`,
    );
    expect(fault).toMatchObject({ kind: 'link_repeated', position: 3, auditId: 'other' });
  });
});

describe('verifying two links', () => {
  it.each([
    [3, 4],
    [2, 6],
  ])('finds the swapped positions %i and %i', async (one, other) => {
    const fault = await chain.fault(
      `${dropPositionKeys} update audit_link set position = ${one + other} - position
       where marketplace_id = ${chain.number} and position in (${one}, ${other})`,
    );
    expect(fault).toMatchObject({ kind: 'links_swapped', position: one });
    for (const at of [one, other]) expect(fault?.message).toContain(chain.rowAt(at).id);
  });

  it.each(['audit_id', 'hash'])('finds a swapped %s', async (column) => {
    const fault = await chain.fault(
      `alter table audit_link drop constraint audit_link_pkey;
       update audit_link set ${column} = twin.${column} from audit_link twin
       where twin.marketplace_id = audit_link.marketplace_id and twin.position = 8 - audit_link.position
         and (${linkOf(3)} or ${linkOf(5)})`,
    );
    expect(fault).toMatchObject({ kind: 'links_swapped', position: 3 });
    for (const at of [3, 5]) expect(fault?.message).toContain(chain.rowAt(at).id);
  });
});

describe('verifying a row without a link', () => {
  const INSERT = `insert into audit select marketplace_id, left(id, 30) || case right(id, 1)
    when '0' then '1' else '0' end, occurred_at, action, resource_type, resource_id, actor_type,
    actor_id, result, reason, correlation_id, before, after, entry_id from audit`;

  it('reports it, unless it awaits its link', async () => {
    const { id } = chain.rowAt(3);
    const slipped = `${INSERT} where id = '${id}';`;
    const fault = await chain.fault(slipped);
    expect(fault?.kind).toBe('row_unlinked');
    expect(fault?.auditId?.slice(0, 30)).toBe(id.slice(0, 30));
    const waiting = `insert into outbox (marketplace_id, audit_id, actor_id, correlation_id)
      values (${chain.number}, '${fault?.auditId}', 'x', 'x')`;
    expect(await chain.fault(slipped + waiting)).toBeUndefined();
  });
});

describe('verifying the end of a chain', () => {
  it.each(pages)('finds by the head that it was cut off, in pages of %i', async (linksAtOnce) => {
    const fault = await chain.fault(
      `delete from audit_link where marketplace_id = ${chain.number} and position > 4`,
      { linksAtOnce },
    );
    const { id } = chain.rowAt(4);
    expect(fault).toMatchObject({ kind: 'head_differs', position: 4, auditId: id });
    expect(fault?.message).toContain(`position ${last()}`);
  });

  it('finds by the rows that it was cut off together with the head', async () => {
    const copyAudit = `create temp table kept on commit drop as select * from audit;`;
    const back = `insert into audit select * from kept on conflict do nothing;`;
    const fault = await chain.fault(copyAudit + cut(5) + back);
    expect(fault).toMatchObject({ kind: 'row_unlinked', auditId: chain.rowAt(5).id });
  });

  it('finds only by the anchors that it was cut off with head and rows', async () => {
    expect(await chain.fault(cut(5))).toBeUndefined();
    const fault = await chain.fault(cut(5), { anchors: chain.anchors });
    const { id } = chain.rowAt(4);
    expect(fault).toMatchObject({ kind: 'anchor_differs', position: 4, auditId: id });
    expect(fault?.message).toContain(`position ${last()} was anchored`);
  });

  it.each([
    ['another hash', `chain_hash = ${flip('chain_hash')}`],
    ['another position', 'chain_position = chain_position + 1'],
    ['a position far beyond', 'chain_position = 1000000000000'],
    ['an earlier position', 'chain_position = chain_position - 1'],
  ])('finds a head with %s', async (_, change) => {
    const fault = await chain.fault(
      `update event_head set ${change} where marketplace_id = ${chain.number}`,
    );
    const { id } = chain.rowAt(last());
    expect(fault).toMatchObject({ kind: 'head_differs', position: last(), auditId: id });
  });

  it('requires a head', async () => {
    const fault = await chain.fault(
      `delete from event_head where marketplace_id = ${chain.number}`,
    );
    expect(fault?.kind).toBe('head_differs');
  });
});

describe("verifying the platform's chain", () => {
  const at = (position: number) =>
    `(select audit_id from audit_link where marketplace_id = 0 and position = ${position})`;
  const platform = async (tamper: string) => {
    const found = await chain.verdicts(tamper, { anchors: chain.anchors });
    return found.find(({ marketplaceId }) => marketplaceId === 'platform');
  };

  it('finds it whole', async () => {
    expect(await platform('')).toMatchObject({ position: 3, anchors: 1, fault: null });
  });

  it.each([
    ['a changed row', `update audit set after = '{}' where id = ${at(2)}`, 'row_changed', 2],
    ['a deleted row', `delete from audit where id = ${at(2)}`, 'row_missing', 2],
    ['a cut, with rows and head', cut(3, '0'), 'anchor_differs', 2],
    [
      'its removal as a whole',
      `delete from audit where marketplace_id = 0; delete from audit_link where marketplace_id = 0;
       delete from event_head where marketplace_id = 0`,
      'anchor_differs',
      0,
    ],
  ])('finds %s', async (_, tamper, kind, position) => {
    expect((await platform(tamper))?.fault).toMatchObject({ kind, position });
  });
});

describe('verifying a chain that was rewritten as a whole', () => {
  const rewrite = () =>
    `update audit set reason = 'another' where id = '${chain.rowAt(3).id}'; ${rehash(3)}`;

  it('finds it consistent in itself, and different from the anchors', async () => {
    expect(await chain.fault(rewrite())).toBeUndefined();
    const fault = await chain.fault(rewrite(), { anchors: chain.anchors });
    const { id } = chain.rowAt(last());
    expect(fault).toMatchObject({ kind: 'anchor_differs', position: last(), auditId: id });
  });

  it('locates the change between two anchors', async () => {
    const earlier = anchorsOf(await chain.verdicts(cut(3)));
    const later = anchorsOf(await chain.verdicts(cut(6)));
    const all = [earlier, later, chain.anchors].map((each) => each.get(chain.market.id) ?? []);
    const anchors = new Map([[chain.market.id, all.flat()]]);
    expect(await chain.fault('', { anchors })).toBeUndefined();
    const fault = await chain.fault(rewrite(), { anchors });
    expect(fault).toMatchObject({
      kind: 'anchor_differs',
      position: 5,
      auditId: chain.rowAt(5).id,
    });
    expect(fault?.message).toContain('between positions 3 and 5');
  });

  it('walks the chain of a marketplace whose row was deleted', async () => {
    const verdicts = await chain.verdicts(
      `set local session_replication_role = replica;
       delete from marketplace where id = ${chain.number};
       update audit set reason = 'another' where id = '${chain.rowAt(3).id}'`,
    );
    expect(verdicts.filter(({ fault }) => fault !== null)).toMatchObject([
      { marketplaceId: `number ${chain.number}`, fault: { kind: 'row_changed', position: 3 } },
    ]);
  });

  it('reports the chain of a missing marketplace', async () => {
    const line = JSON.stringify({ marketplaceId: 'mkt_gone', position: 3, hash: 'a'.repeat(64) });
    const verdicts = await chain.verdicts('', { anchors: readAnchors(line, 'noted') });
    expect(verdicts.filter(({ fault }) => fault !== null)).toMatchObject([
      { marketplaceId: 'mkt_gone', fault: { kind: 'chain_missing' } },
    ]);
  });
});

describe('reading anchors', () => {
  const hash = 'b'.repeat(64);

  it('reads lines of the log too, and leaves out broken chains', () => {
    const lines = [
      { level: 30, time: '2026-01-02T00:00:00.000Z', marketplaceId: 'mkt_1', position: 7, hash },
      { marketplaceId: 'mkt_1', position: 3, hash, fault: null },
      { marketplaceId: 'mkt_2', position: 1, hash, fault: { kind: 'row_changed' } },
    ];
    const read = readAnchors(lines.map((line) => JSON.stringify(line)).join('\n\n'), 'file');
    expect([...read.keys()]).toEqual(['mkt_1']);
    expect(read.get('mkt_1')?.map(({ position }) => position)).toEqual([3, 7]);
    expect(readAnchors('', 'file')).toEqual(NO_ANCHORS);
  });

  it.each(['x', '{}', `{"marketplaceId":"mkt_1","position":-1,"hash":"${hash}"}`, 'null'])(
    'refuses them when they are %s',
    (line) => {
      expect(() => readAnchors(`\n${line}`, 'file')).toThrow('file:2 is not a valid anchor');
    },
  );
});
