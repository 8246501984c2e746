//! An auditor that finds nothing proves nothing: each of its checks must notice a planted fault.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuditOptions, audit, type Line } from './audit.ts';
import type { HistoryLine, Outcome } from './history.ts';
import { lineText } from './report.ts';
import { FAULTS } from './testing/faults.ts';
import { sequence } from './testing/sequence.ts';
import { openWorld, type World } from './testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** Plants faults and audits them on one connection, then takes everything back. */
async function auditWith(plant: string, options: AuditOptions = {}): Promise<Line[]> {
  await world.client.query('begin');
  try {
    await world.client.query(plant);
    return await audit(world.client, { journal: world.journal, ...options });
  } finally {
    await world.client.query('rollback');
  }
}

function brokenIds(lines: readonly Line[]): string[] {
  return [...new Set(lines.filter(({ broken }) => broken > 0).map(({ id }) => id))].sort();
}

/** A check has one name, whether an index helps it or not. */
function nameOf({ id, claim }: Line): string {
  return `${id} ${claim.replace(', by its unique index', '')}`;
}

describe('a healthy world', () => {
  it('is clean, and no check passes by having nothing to look at', async () => {
    const lines = await auditWith('');
    expect(brokenIds(lines), lines.map(lineText).join('\n')).toEqual([]);
    const empty = lines.filter((line) => line.looked === 0 && line.skipped === undefined);
    expect(empty).toEqual([]);
  });

  it('says what it did not check', async () => {
    const lines = await auditWith('', { journal: undefined });
    const skipped = lines.filter((line) => line.skipped !== undefined);
    const ids = ['I5', 'I7', 'I7', 'I7', 'I7', 'I15', 'I16', 'I16', 'I21'];
    expect(skipped.map(({ id }) => id)).toEqual(ids);
  });

  it('is as clean to the role of the auditor, which sees every row', async () => {
    const [asOwner, asAuditor] = [
      await auditWith(''),
      await auditWith('set local role holdfast_auditor'),
    ];
    const figures = ({ id, looked, broken }: Line) => ({ id, looked, broken });
    expect(asAuditor.map(figures)).toEqual(asOwner.map(figures));
  });

  it('is not audited by a role from which rows are hidden', async () => {
    await expect(auditWith('set local role holdfast_app')).rejects.toThrow('every row');
  });
});

describe('a planted fault is found by its invariant and named', () => {
  const found = new Set<string>();

  it.each(FAULTS)('$name ($by)', async ({ plant, by, names, journal }) => {
    const { rows } = await world.client.query<[unknown]>({ text: names, rowMode: 'array' });
    const lines = await auditWith(plant, journal && { journal: journal(world.journal) });
    expect(brokenIds(lines), lines.map(lineText).join('\n')).toEqual([...by].sort());
    const told = lines.filter(({ id, broken }) => id === by[0] && broken > 0);
    expect(told.map(lineText).join('\n')).toContain(String(rows[0]?.[0]));
    for (const line of lines) if (line.broken > 0) found.add(nameOf(line));
  });

  it('leaves no check without a fault that breaks it', async () => {
    const checked = (await auditWith('')).filter((line) => line.skipped === undefined);
    expect(checked.map(nameOf).filter((name) => !found.has(name))).toEqual([]);
  });
});

describe('rows that wait for the sequencer', () => {
  it('are counted, and are no fault', async () => {
    const waiting = async () =>
      (await auditWith('')).find(({ claim }) => claim.startsWith('what waits'))?.looked;
    expect(await waiting()).toBe(3);
  });

  it('are none when it has come to them', async () => {
    await world.client.query('begin');
    await sequence(world.client);
    const lines = await audit(world.client);
    await world.client.query('rollback');
    expect(brokenIds(lines), lines.map(lineText).join('\n')).toEqual([]);
    expect(lines.find(({ claim }) => claim.startsWith('what waits'))?.looked).toBe(0);
  });
});

describe('a log whose old months are dropped', () => {
  const DROP = `delete from event where position <= 3;
    update event_head set occurred_at = now() - interval '40 days'
    where not exists (select from event where event.marketplace_id = event_head.marketplace_id);`;

  it('is no fault: what happened before has no event any more', async () => {
    const lines = await auditWith(DROP);
    expect(brokenIds(lines), lines.map(lineText).join('\n')).toEqual([]);
  });

  it('does not excuse what happened since', async () => {
    const later = `update entry set created_at = clock_timestamp() where correlation_id = 'debit-ann';
      delete from event where correlation_id in ('credit-ann', 'debit-ann')`;
    expect(brokenIds(await auditWith(DROP + later))).toContain('I10');
  });
});

function line(outcome: Outcome, tries: readonly string[], more: Partial<HistoryLine> = {}) {
  const asked = { op: 'debit', userId: 'usr_ann', currency: 'USD', amount: '25.00' };
  return { logicalId: `logical-${tries[0]}`, correlationIds: tries, ...asked, outcome, ...more };
}

describe('a history of what clients were told', () => {
  it.each<[string, HistoryLine]>([
    ['a request that was done', line('acknowledged', ['debit-ann'])],
    ['a retry of one that was done', line('acknowledged', ['never-came', 'debit-ann'])],
    ['a cut request that was done', line('unknown', ['debit-ann'])],
    ['a cut request that was not', line('unknown', ['never-came'])],
    ['a refused request', line('refused', ['refused-ben'], { userId: 'usr_ben' })],
    [
      'a cancel, whose amount the service finds',
      line('acknowledged', ['cancel-ben'], { op: 'cancel', userId: 'usr_ben', amount: null }),
    ],
  ])('agrees with %s', async (_, told) => {
    const lines = await auditWith('', { history: [told] });
    expect(brokenIds(lines), lines.map(lineText).join('\n')).toEqual([]);
    expect(
      lines.filter(({ looked, skipped }) => looked === 1 && skipped === undefined),
    ).not.toEqual([]);
  });

  it.each<[string, string, HistoryLine]>([
    ['an acknowledged request that is gone', 'I15', line('acknowledged', ['never-came'])],
    ['one that was done twice', 'I15', line('acknowledged', ['debit-ann', 'spend-ann'])],
    ['another amount', 'I15', line('acknowledged', ['debit-ann'], { amount: '25.01' })],
    ['another user', 'I15', line('acknowledged', ['debit-ann'], { userId: 'usr_ben' })],
    ['another operation', 'I15', line('acknowledged', ['debit-ann'], { op: 'deduct' })],
    ['a refused request that was done', 'I16', line('refused', ['debit-ann'])],
    ['a cut request that was done twice', 'I16', line('unknown', ['debit-ann', 'spend-ann'])],
    [
      'a cut request that did something else',
      'I16',
      line('unknown', ['debit-ann'], { amount: '1.00' }),
    ],
  ])('finds %s (%s)', async (_, id, told) => {
    const lines = await auditWith('', { history: [told] });
    expect(brokenIds(lines)).toEqual([id]);
    expect(lines.map(lineText).join('\n')).toContain(told.logicalId);
  });
});

describe('a service at rest', () => {
  const REST = `delete from outbox;
    update inbox set status = 'PARKED', last_error = 'nothing fits' where status = 'PENDING';
    update envelope set state = 'APPLIED' where state = 'OPEN'; delete from operation_open;
    update operation set status = 'DONE' where status = 'RUNNING';
    update orders set status = 'IN_PROGRESS' where id = 'ord_moving';`;
  const wait = (plant: string) => auditWith(REST + plant, { isConverged: true, only: ['I21'] });

  it('has nothing in flight', async () => {
    const lines = await wait('');
    expect(brokenIds(lines), lines.map(lineText).join('\n')).toEqual([]);
    expect(lines.map(({ skipped }) => skipped)).toEqual([undefined]);
  });

  it.each([
    [
      'an open operation',
      'op_release',
      `update operation set status = 'RAISED', raised_at = now()
      where id = 'op_release'`,
    ],
    [
      'an order on its way',
      'ord_moving',
      `update orders set status = 'REFUND_REQUESTED'
      where id = 'ord_moving'`,
    ],
    [
      'an escrow that is being funded',
      'esc_ord_moving',
      `update escrow set status = 'FUNDING',
      funded_at = null where order_id = 'ord_moving'`,
    ],
    [
      'a decision that is being carried out',
      'dsp_deal',
      `update dispute set status = 'UNDER_REVIEW',
      resolved_at = null where id = 'dsp_deal'`,
    ],
    [
      'an envelope of unknown fate',
      'deploy:op_deploy',
      `update envelope set state = 'OPEN'
      where purpose = 'create-escrow:deploy:op_deploy'`,
    ],
    [
      'a transfer of unknown fate',
      'op_batch',
      `update mirror_item set status = 'OPEN' where batch_id = 'op_batch'`,
    ],
    [
      'an address that has not followed its books',
      'usr_ann',
      `insert into mirror_due (marketplace_id, user_id, has_moved, made_at)
      select min(id), 'usr_ann', false, now() from marketplace`,
    ],
    [
      'an event that waits for its place',
      'user.gone',
      `insert into outbox (marketplace_id, event_type,
      aggregate_id, payload, actor_id, correlation_id)
      select min(id), 'user.gone', 'usr_x', '{}', 'x', 'x' from marketplace`,
    ],
    [
      'an event of a provider that waits for its turn',
      'whk_odd',
      `update inbox
      set status = 'PENDING' where provider_event_id = 'whk_odd'`,
    ],
  ])('does not leave %s', async (_, name, plant) => {
    const lines = await wait(plant);
    expect(brokenIds(lines)).toEqual(['I21']);
    expect(lines.map(lineText).join('\n')).toContain(name);
  });
});

describe('npm run audit:books', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-auditor-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function run(...args: string[]): Promise<{ code: number; out: string }> {
    const main = fileURLToPath(new URL('./main.ts', import.meta.url));
    return new Promise((resolve) => {
      const child = execFile(process.execPath, [main, ...args], (_, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, out: stdout + stderr }),
      );
    });
  }

  it('exits 0 when all is right, and reads a history and a journal', async () => {
    const path = join(folder, 'history.jsonl');
    writeFileSync(path, `${JSON.stringify(line('acknowledged', ['debit-ann']))}\n`);
    const sandbox = createServer((_, answer) => {
      answer.end(JSON.stringify({ entries: world.journal }));
    });
    await new Promise<void>((resolve) => sandbox.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(sandbox.address() as AddressInfo).port}`;
    const { code, out } = await run(
      ...['--database', world.url, '--history', path, '--sandbox', url],
    );
    sandbox.close();
    expect(code, out).toBe(0);
    expect(out).toMatch(/I15 +ok +every acknowledged request .*\(1 rows\)/);
    expect(out.trimEnd().split('\n').at(-1)).toMatch(/^CLEAN: \d+ checks ok, 0 broken, 1 skipped/);
  });

  it('exits 1 when something is wrong, as JSON if asked', async () => {
    await world.client.query(`update account set version = version + 1 where owner_id = 'usr_ben'`);
    const { code, out } = await run('--database', world.url, '--json', '--only', 'I1,I3');
    await world.client.query(`update account set version = version - 1 where owner_id = 'usr_ben'`);
    expect(code, out).toBe(1);
    const { clean, checks } = JSON.parse(out) as { clean: boolean; checks: Line[] };
    expect([clean, brokenIds(checks)]).toEqual([false, ['I3']]);
  });

  it('exits 2 when it could not look', async () => {
    const nowhere = await run('--database', 'postgres://root@127.0.0.1:1/nowhere');
    expect(nowhere.code, nowhere.out).toBe(2);
    const unknown = await run('--database', world.url, '--only', 'I1,I99');
    expect(unknown.code, unknown.out).toBe(2);
    writeFileSync(join(folder, 'bad.jsonl'), '{"logicalId":"one"}\n');
    const unread = await run('--database', world.url, '--history', join(folder, 'bad.jsonl'));
    expect(unread.out).toContain('bad.jsonl:1');
    expect(unread.code).toBe(2);
  });
});
