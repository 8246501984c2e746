//! H2: who owns the database removes what operators did from the audit log.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifyArchive } from '../../../../apps/cli/src/archive/verify-archive.ts';
import { entryOf, NODE_FLAG } from '../../../../apps/cli/src/entries.ts';
import { within } from '../../../harness/wait.ts';
import { type Attack, alarmed } from '../attack.ts';
import type { AttackWorld } from '../world.ts';

const ARCHIVED_MS_MAX = 90_000;
/** The chain of actions outside all marketplaces, such as those on operators. */
const CHAIN = 'marketplace_id = 0';
const LAST = `(select max(position) from audit_link where ${CHAIN})`;

export const attack: Attack = {
  id: 'H2',
  title: "change and cut off the audit log of operators' actions",
  evidence: alarmed('audit export refused'),
  run: async ({ monitor, archive, databaseUrl }) => {
    const anchors = await archivedHeads(monitor, archive);
    const gained: string[] = [];
    const [row] = (
      await monitor.query<{ id: string; reason: string | null }>(
        `select id, reason from audit where ${CHAIN} order by id limit 1`,
      )
    ).rows;
    if (row === undefined) throw new Error('the chain is empty');
    const setReason = (to: string | null) =>
      monitor.query('update audit set reason = $1 where id = $2', [to, row.id]);
    await setReason('none of your business');
    if (isIntact(databaseUrl)) gained.push('a changed record was not found');
    await setReason(row.reason);
    if (!isIntact(databaseUrl)) throw new Error('the chain is not intact before it is cut off');
    await monitor.query(`
      delete from audit where id = (select audit_id from audit_link
        where ${CHAIN} and position = ${LAST})`);
    await monitor.query(`delete from audit_link where ${CHAIN} and position = ${LAST}`);
    await monitor.query(`update event_head set position = position - 1 where ${CHAIN}`);
    if (isIntact(databaseUrl, anchors)) gained.push('a record that was cut off was not missed');
    return gained.length === 0 ? undefined : gained.join(', ');
  },
};

/** Waits until the whole chain has left the database; returns lines for `--anchors`. */
async function archivedHeads(
  monitor: AttackWorld['monitor'],
  { folder, publicKeyFile }: AttackWorld['archive'],
): Promise<string> {
  const key = readFileSync(publicKeyFile, 'utf8');
  const { rows } = await monitor.query<{ last: string }>(`select ${LAST} as last`);
  let lines: string[] = [];
  const isThere = () => {
    const { chains, at } = tryVerify(folder, key);
    lines = chains.map(({ chain, position, hash }) =>
      JSON.stringify({ marketplaceId: chain, position, hash, time: at }),
    );
    const platform = chains.find(({ chain }) => chain === 'platform');
    return platform !== undefined && platform.position >= Number(rows[0]?.last);
  };
  if (!(await within(ARCHIVED_MS_MAX, isThere, 500))) throw new Error('nothing was archived');
  return lines.join('\n');
}

/** Before the first export there is no archive to verify. */
function tryVerify(
  folder: string,
  key: string,
): Pick<ReturnType<typeof verifyArchive>, 'chains' | 'at'> {
  try {
    return verifyArchive(folder, key);
  } catch {
    return { chains: [], at: '' };
  }
}

function isIntact(databaseUrl: string, anchors?: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-anchors-'));
  try {
    const file = join(folder, 'anchors.jsonl');
    writeFileSync(file, `${anchors ?? ''}\n`);
    const compared = anchors === undefined ? [] : ['--anchors', file];
    const script = fileURLToPath(entryOf('verify-audit'));
    const args = [NODE_FLAG, script, '--database', databaseUrl, ...compared];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0 && status !== 1) throw new Error(`verify:audit could not run: ${stderr}`);
    return status === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
