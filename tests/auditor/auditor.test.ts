//! An auditor that finds nothing proves nothing: each of its checks must notice a planted fault.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
import { openStubSandbox } from './testing/stub-sandbox.ts';
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
    const { client, journal, outside } = world;
    return await audit(client, { journal, outside, ...options });
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
    const lines = await auditWith('', { journal: undefined, outside: undefined });
    const skipped = lines.filter((line) => line.skipped !== undefined);
    const effects = Array<string>(7).fill('I7');
    const ids = ['I5', ...effects, 'I8', 'I13', 'I15', 'I16', 'I16', 'I21', 'I22', 'I22'];
    expect(skipped.map(({ id }) => id)).toEqual([...ids, 'S1', 'S1', 'S1']);
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

// The last one looks at what the others found.
describe('a planted fault is found by its invariant and named', { shuffle: false }, () => {
  const found = new Set<string>();

  it.each(FAULTS)('$name ($by)', async ({ plant, by, names, journal, outside }) => {
    const { rows } = await world.client.query<[unknown]>({ text: names, rowMode: 'array' });
    const lines = await auditWith(plant, {
      ...(journal && { journal: journal(world.journal) }),
      ...(outside && { outside: outside(world.outside) }),
    });
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
    const sandbox = await openStubSandbox(world);
    const { code, out } = await run(
      ...['--database', world.url, '--history', path, '--sandbox', sandbox.url],
    );
    sandbox.close();
    expect(code, out).toBe(0);
    expect(out).toMatch(/I15 +ok +every acknowledged request .*\(1 rows\)/);
    expect(out.trimEnd().split('\n').at(-1)).toMatch(/^CLEAN: \d+ checks ok, 0 broken, 5 skipped/);
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
