//! Writes the links of all audit chains to an archive outside the database, with signed heads: a
//! background job. The archive itself says how far it goes, so any number of workers may share it,
//! and a worker that stops between a segment and its head leaves the head to the next.
import { type Clock, instantText } from '@holdfast/kernel/clock';
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import { AUDIT_EXPORT_REFUSED } from '../../platform/process/alarms.ts';
import type { Log } from '../../platform/process/log.ts';
import type { ChainName } from './anchors.ts';
import {
  type AuditArchive,
  endOf,
  readSegmentText,
  type SegmentLink,
  type SegmentPart,
  segmentText,
} from './audit-archive.ts';
import { BEFORE_ALL } from './audit-chain.ts';
import { type ArchivedEnd, type HeadSigner, sha256 } from './head-signer.ts';

export interface AuditExport {
  readonly archive: AuditArchive;
  readonly signer: HeadSigner;
}

export interface AuditExporter {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Log;
  /** Undefined where no archive is configured. */
  readonly auditExport: AuditExport | undefined;
}

const CHAINS_AT_ONCE = 500;
const LINKS_AT_ONCE = 20_000;
const NOTHING = '00'.repeat(32);

export async function exportAudit(app: AuditExporter): Promise<number> {
  const { auditExport } = app;
  if (auditExport === undefined) return 0;
  let exported = 0;
  for (;;) {
    const count = await exportSegment(app, auditExport);
    exported += count;
    if (count < LINKS_AT_ONCE) return exported;
  }
}

type Chains = ReadonlyMap<ChainName, StoredEnd>;
type Archived = ReadonlyMap<ChainName, ArchivedEnd>;

interface StoredEnd extends ArchivedEnd {
  readonly number: RowNumber;
}

async function exportSegment(
  app: AuditExporter,
  { archive, signer }: AuditExport,
): Promise<number> {
  const previousFile = await archive.newestHead();
  const previous = previousFile === undefined ? undefined : signer.open(previousFile);
  const archived = new Map(previous?.chains.map((end) => [end.chain, end]));
  const number = (previous?.number ?? 0) + 1;
  const chains = await listChains(app.pool);
  const text = await segmentOf(app, archive, number, chains, archived);
  if (text === undefined) return 0;
  const parts = readSegmentText(text);
  for (const part of parts) archived.set(part.after.chain, endOf(part));
  const head = {
    format: 1,
    number,
    at: instantText(app.clock.now()),
    previous: previousFile === undefined ? null : sha256(previousFile),
    segment: sha256(text),
    chains: [...archived.values()],
  } as const;
  // Another worker may have been faster: then its head stands.
  const isOurs = await archive.createHead(number, await signer.attest(head, previousFile));
  return isOurs ? parts.reduce((sum, { links }) => sum + links.length, 0) : 0;
}

/** What a worker left without a head comes first. Undefined where there is nothing to sign. */
async function segmentOf(
  app: AuditExporter,
  archive: AuditArchive,
  number: number,
  chains: Chains,
  archived: Archived,
): Promise<string | undefined> {
  const left = await archive.readSegment(number);
  if (left === undefined) {
    const parts = await newParts(app, chains, archived);
    const text = segmentText(parts);
    return parts.length > 0 && (await archive.createSegment(number, text)) ? text : undefined;
  }
  for (const { after, links } of readSegmentText(left)) {
    const { position, hash } = archived.get(after.chain) ?? startOf(after.chain);
    const isNext = after.position === position && after.hash === hash;
    const stored = await readLinks(app.pool, chains.get(after.chain), position, links.length);
    if (!isNext || JSON.stringify(stored) !== JSON.stringify(links)) {
      refuse(app.log, after, `segment ${number} is not what the database has`);
      return undefined;
    }
  }
  return left;
}

async function newParts(
  { pool, log }: AuditExporter,
  chains: Chains,
  archived: Archived,
): Promise<SegmentPart[]> {
  const parts: SegmentPart[] = [];
  for (const end of archived.values())
    if (!chains.has(end.chain)) refuse(log, end, 'the chain no longer exists');
  let room = LINKS_AT_ONCE;
  for (const stored of chains.values()) {
    const after = archived.get(stored.chain) ?? startOf(stored.chain);
    if (stored.position === after.position && stored.hash === after.hash) continue;
    const found = await readLinks(pool, stored, after.position - 1, room + 1);
    const [first] = found;
    const links = after.position === 0 ? found.slice(0, room) : found.slice(1);
    if (after.position > 0 && (first?.[0] !== after.position || first[2] !== after.hash))
      refuse(log, after, 'the database has another hash at the archived position');
    else if (links.some(([position], at) => position !== after.position + 1 + at))
      refuse(log, after, 'a link is missing');
    else if (links.length > 0) parts.push({ after, links });
    room -= links.length;
    if (room <= 0) break;
  }
  return parts;
}

/** History that was archived is not what the database has now: a person must look into it. */
function refuse(log: Log, { chain, position }: ArchivedEnd, reason: string): void {
  log.error({ chain, position, reason }, AUDIT_EXPORT_REFUSED);
}

function startOf(chain: ChainName): ArchivedEnd {
  return { chain, position: 0, hash: NOTHING };
}

async function listChains(pool: pg.Pool): Promise<Chains> {
  const chains = new Map<ChainName, StoredEnd>();
  for (let after: RowNumber = BEFORE_ALL; ; ) {
    const { rows } = await pool.query<StoredEnd>(
      `select marketplace_id as number, name as chain, position::float8 as position,
         encode(hash, 'hex') as hash from work.audit_heads($1, $2)`,
      [after, CHAINS_AT_ONCE],
    );
    for (const row of rows) chains.set(row.chain, row);
    const last = rows.at(-1);
    if (last === undefined) return chains;
    after = last.number;
  }
}

async function readLinks(
  pool: pg.Pool,
  chain: StoredEnd | undefined,
  after: number,
  count: number,
): Promise<SegmentLink[]> {
  const { rows } = await pool.query<{ position: number; audit_id: string; hash: string }>(
    `select position::float8 as position, audit_id, encode(hash, 'hex') as hash
     from work.audit_links($1, $2, $3)`,
    [chain?.number ?? BEFORE_ALL, after, count],
  );
  return rows.map(({ position, audit_id: auditId, hash }) => [position, auditId, hash]);
}
