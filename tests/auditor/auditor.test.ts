//! Tests the auditor: each of its checks must find a planted fault.
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

/** Plants faults and audits them on one connection, then rolls everything back. */
async function auditWith(plant: string, options: AuditOptions = {}): Promise<Line[]> {
  await world.client.query('begin');
  try {
    await world.client.query(plant);
    const { client, journal, external } = world;
    return await audit(client, { journal, external, ...options });
  } finally {
    await world.client.query('rollback');
  }
}

function brokenIds(lines: readonly Line[]): string[] {
  return [...new Set(lines.filter(({ broken }) => broken > 0).map(({ id }) => id))].sort();
}

/** A check has the same name with and without a supporting index. */
function nameOf({ id, claim }: Line): string {
  return `${id} ${claim.replace(', by its unique index', '')}`;
}

describe('audit of a healthy world', () => {
  it('reports it as clean, and every check reads at least one row', async () => {
    const lines = await auditWith('');
    expect(brokenIds(lines), lines.map(lineText).join('\n')).toEqual([]);
    const empty = lines.filter((line) => line.checked === 0 && line.skipped === undefined);
    expect(empty).toEqual([]);
  });

  it('reports the checks it skipped', async () => {
    const lines = await auditWith('', { journal: undefined, external: undefined });
    const skipped = lines.filter((line) => line.skipped !== undefined);
    const effects = Array<string>(7).fill('I7');
    const ids = ['I5', ...effects, 'I8', 'I29', 'I13', 'I15', 'I16', 'I16', 'I21', 'I22', 'I22'];
    expect(skipped.map(({ id }) => id)).toEqual([...ids, 'I30', 'S1', 'S1', 'S1']);
  });

  it('finds the same as the auditor role, which sees every row', async () => {
    const [asOwner, asAuditor] = [
      await auditWith(''),
      await auditWith('set local role holdfast_auditor'),
    ];
    const figures = ({ id, checked, broken }: Line) => ({ id, checked, broken });
    expect(asAuditor.map(figures)).toEqual(asOwner.map(figures));
  });

  it('refuses a role that does not see every row', async () => {
    await expect(auditWith('set local role holdfast_api')).rejects.toThrow('every row');
    await expect(auditWith('set local role holdfast_worker')).rejects.toThrow('every row');
  });
});

// In order: the last test needs the findings of the others.
describe('audit of a planted fault', { shuffle: false }, () => {
  const found = new Set<string>();

  it.each(FAULTS)('reports $name ($by)', async ({ plant, by, names, journal, external }) => {
    const { rows } = await world.client.query<[unknown]>({ text: names, rowMode: 'array' });
    const lines = await auditWith(plant, {
      ...(journal && { journal: journal(world.journal) }),
      ...(external && { external: external(world.external) }),
    });
    expect(brokenIds(lines), lines.map(lineText).join('\n')).toEqual([...by].sort());
    const reported = lines.filter(({ id, broken }) => id === by[0] && broken > 0);
    expect(reported.map(lineText).join('\n')).toContain(String(rows[0]?.[0]));
    for (const line of lines) if (line.broken > 0) found.add(nameOf(line));
  });

  it('has a planted fault for every check', async () => {
    const checked = (await auditWith('')).filter((line) => line.skipped === undefined);
    expect(checked.map(nameOf).filter((name) => !found.has(name))).toEqual([]);
  });
});

describe('audit of rows that wait for the sequencer', () => {
  it('counts them without reporting a fault', async () => {
    const waiting = async () =>
      (await auditWith('')).find(({ claim }) => claim.startsWith('every waiting outbox row'))
        ?.checked;
    expect(await waiting()).toBe(3);
  });

  it('counts none after the sequencer has run', async () => {
    await world.client.query('begin');
    await sequence(world.client);
    const lines = await audit(world.client);
    await world.client.query('rollback');
    expect(brokenIds(lines), lines.map(lineText).join('\n')).toEqual([]);
    expect(lines.find(({ claim }) => claim.startsWith('every waiting outbox row'))?.checked).toBe(
      0,
    );
  });
});

describe('audit of a log whose old months are dropped', () => {
  const DROP = `delete from event where position <= 3;
    update event_head set occurred_at = now() - interval '40 days'
    where not exists (select from event where event.marketplace_id = event_head.marketplace_id);`;

  it('accepts entries from before the first stored event', async () => {
    const lines = await auditWith(DROP);
    expect(brokenIds(lines), lines.map(lineText).join('\n')).toEqual([]);
  });

  it('reports a later entry without an event', async () => {
    const later = `update entry set created_at = clock_timestamp() where correlation_id = 'debit-ann';
      delete from event where correlation_id in ('credit-ann', 'debit-ann')`;
    expect(brokenIds(await auditWith(DROP + later))).toContain('I10');
  });
});

function line(outcome: Outcome, tries: readonly string[], more: Partial<HistoryLine> = {}) {
  const fields = { op: 'debit', userId: 'usr_ann', currency: 'USD', amount: '25.00' };
  return { logicalId: `logical-${tries[0]}`, correlationIds: tries, ...fields, outcome, ...more };
}

describe('audit with a history of client requests', () => {
  it.each<[string, HistoryLine]>([
    ['an acknowledged request', line('acknowledged', ['debit-ann'])],
    ['a retry of an acknowledged request', line('acknowledged', ['never-came', 'debit-ann'])],
    ['an interrupted request that was executed', line('unknown', ['debit-ann'])],
    ['an interrupted request that was not executed', line('unknown', ['never-came'])],
    ['a refused request', line('refused', ['refused-ben'], { userId: 'usr_ben' })],
    [
      'a cancel, whose amount the service decides',
      line('acknowledged', ['cancel-ben'], { op: 'cancel', userId: 'usr_ben', amount: null }),
    ],
  ])('accepts %s', async (_, reported) => {
    const lines = await auditWith('', { history: [reported] });
    expect(brokenIds(lines), lines.map(lineText).join('\n')).toEqual([]);
    expect(
      lines.filter(({ checked, skipped }) => checked === 1 && skipped === undefined),
    ).not.toEqual([]);
  });

  it.each<[string, string, HistoryLine]>([
    ['an acknowledged request without an entry', 'I15', line('acknowledged', ['never-came'])],
    ['a request that was executed twice', 'I15', line('acknowledged', ['debit-ann', 'spend-ann'])],
    ['another amount', 'I15', line('acknowledged', ['debit-ann'], { amount: '25.01' })],
    ['another user', 'I15', line('acknowledged', ['debit-ann'], { userId: 'usr_ben' })],
    ['another operation', 'I15', line('acknowledged', ['debit-ann'], { op: 'deduct' })],
    ['a refused request that was executed', 'I16', line('refused', ['debit-ann'])],
    [
      'an interrupted request that was executed twice',
      'I16',
      line('unknown', ['debit-ann', 'spend-ann']),
    ],
    [
      'an interrupted request with another amount',
      'I16',
      line('unknown', ['debit-ann'], { amount: '1.00' }),
    ],
  ])('finds %s (%s)', async (_, id, reported) => {
    const lines = await auditWith('', { history: [reported] });
    expect(brokenIds(lines)).toEqual([id]);
    expect(lines.map(lineText).join('\n')).toContain(reported.logicalId);
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

  it('exits 0 when every check passes, with a history and a journal', async () => {
    const path = join(folder, 'history.jsonl');
    writeFileSync(path, `${JSON.stringify(line('acknowledged', ['debit-ann']))}\n`);
    const sandbox = await openStubSandbox(world);
    const { code, out } = await run(
      ...['--database', world.url, '--history', path, '--sandbox', sandbox.url],
    );
    sandbox.close();
    expect(code, out).toBe(0);
    expect(out).toMatch(/I15 +passed +every acknowledged request .*\(1 row checked\)/);
    expect(out.trimEnd().split('\n').at(-1)).toMatch(
      /^PASSED: \d+ checks passed, 0 failed, 5 skipped/,
    );
  });

  it('exits 1 when a check is broken, and prints JSON with --json', async () => {
    await world.client.query(`update account set version = version + 1 where owner_id = 'usr_ben'`);
    const { code, out } = await run('--database', world.url, '--json', '--only', 'I1,I3');
    await world.client.query(`update account set version = version - 1 where owner_id = 'usr_ben'`);
    expect(code, out).toBe(1);
    const { clean, checks } = JSON.parse(out) as { clean: boolean; checks: Line[] };
    expect([clean, brokenIds(checks)]).toEqual([false, ['I3']]);
  });

  it('exits 2 when the audit could not run', async () => {
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
