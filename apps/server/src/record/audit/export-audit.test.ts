import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyArchive } from '../../../../cli/src/archive/verify-archive.ts';
import { AUDIT_EXPORT_REFUSED } from '../../platform/process/alarms.ts';
import { openChainWorld } from '../../testing/chain-world.ts';
import { useOpened } from '../../testing/use-world.ts';
import { AuditArchive } from './audit-archive.ts';
import { exportAudit } from './export-audit.ts';
import { type HeadSigner, localHeadSigner } from './head-signer.ts';

const chain = useOpened(openChainWorld);
const root = mkdtempSync(join(tmpdir(), 'holdfast-archive-'));
afterAll(() => rmSync(root, { recursive: true }));

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const PUBLIC = publicKey.export({ format: 'pem', type: 'spki' }).toString();
const signerOf = (key: KeyObject) =>
  localHeadSigner(key.export({ format: 'der', type: 'pkcs8' }).toString('base64'));

const newFolder = () => mkdtempSync(join(root, 'one-'));
const headAt = (folder: string, number: number) => join(folder, `head-00000000000${number}.json`);
const segmentAt = (folder: string, number: number) =>
  join(folder, `segment-00000000000${number}.jsonl`);

/** A worker's run; what it refused. */
async function runExport(folder: string, signer: HeadSigner = signerOf(privateKey)) {
  const refused: object[] = [];
  const { pool, clock, log } = chain.world.worker;
  const error = (fields: object, text: string) => refused.push({ ...fields, text });
  const count = await exportAudit({
    pool,
    clock,
    log: Object.assign(Object.create(log), { error }),
    auditExport: { archive: new AuditArchive(folder), signer },
  });
  return { count, refused };
}

async function addLinks(): Promise<void> {
  await chain.market.user();
  await chain.world.sequence();
}

/** Three segments, each with its head. */
let whole: string;
beforeAll(async () => {
  whole = newFolder();
  for (let number = 1; number <= 3; number += 1) {
    await addLinks();
    await runExport(whole);
  }
});

function copyOf(folder: string): string {
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true });
  for (const name of readdirSync(copy)) chmodSync(join(copy, name), 0o640);
  return copy;
}

describe('the archive', () => {
  it('has every link of every chain, that of the platform too, and only their hashes', async () => {
    const { heads, chains } = verifyArchive(whole, PUBLIC);
    expect(heads).toBe(3);
    expect(chains.map((each) => each.chain)).toContain('platform');
    const own = chains.find((each) => each.chain === chain.market.id);
    // The rows of the world, and one more for each segment; other tests may have added theirs.
    expect(own?.position).toBeGreaterThanOrEqual(chain.links.length + 3);
    const stored = await chain.world.rows(
      `select encode(hash, 'hex') as hash from audit_link
       where marketplace_id = $1 and position = $2`,
      [chain.number, own?.position],
    );
    expect(stored).toEqual([{ hash: own?.hash }]);
    const texts = readdirSync(whole).map((name) => readFileSync(join(whole, name), 'utf8'));
    expect(texts.join('')).not.toMatch(/API_KEY|127\.0\.0\.1|usr_|invoice/);
  });

  it('has read-only files, and no others', () => {
    const names = readdirSync(whole);
    expect(names).toHaveLength(6);
    expect(names.map((name) => statSync(join(whole, name)).mode & 0o777)).toEqual(
      names.map(() => 0o440),
    );
  });

  it('gets nothing when no chain has grown', async () => {
    const folder = copyOf(whole);
    await runExport(folder);
    expect(await runExport(folder)).toEqual({ count: 0, refused: [] });
  });
});

describe('verifying an archive', () => {
  const edit = (path: string, change: (text: string) => string) =>
    writeFileSync(path, change(readFileSync(path, 'utf8')));
  const swapDigit = (text: string) =>
    text.replace(/[0-9a-f](?="\]\n)/, (digit) => (digit === '0' ? '1' : '0'));

  it.each<[string, (folder: string) => void, string]>([
    ['a deleted segment', (f) => rmSync(segmentAt(f, 2)), 'segment-000000000002.jsonl is missing'],
    ['a deleted head', (f) => rmSync(headAt(f, 2)), 'head-000000000002.json is missing'],
    ['a changed segment', (f) => edit(segmentAt(f, 2), swapDigit), 'segment-000000000002'],
    [
      'a segment that was cut off',
      (f) => edit(segmentAt(f, 1), (text) => text.slice(0, text.lastIndexOf('[', text.length))),
      'segment-000000000001',
    ],
    [
      'a changed head',
      (f) => edit(headAt(f, 2), (text) => text.replace('"number":2', '"number":1')),
      'head-000000000002.json has no signature',
    ],
    [
      'a text after a head',
      (f) => edit(headAt(f, 2), (text) => `${text}more\n`),
      'head-000000000002.json has more',
    ],
    [
      'a head in the place of another',
      (f) => cpSync(headAt(f, 1), headAt(f, 2)),
      'head-000000000002.json is head 1',
    ],
    [
      'heads that were removed at the end',
      (f) => {
        rmSync(headAt(f, 2));
        rmSync(headAt(f, 3));
      },
      'head-000000000002.json is missing',
    ],
  ])('finds %s', (_, tamper, named) => {
    const folder = copyOf(whole);
    tamper(folder);
    expect(() => verifyArchive(folder, PUBLIC)).toThrow(named);
  });

  it('finds a head that another key has signed', async () => {
    const folder = copyOf(whole);
    const forger = signerOf(generateKeyPairSync('ed25519').privateKey);
    const head = signerOf(privateKey).open(readFileSync(headAt(folder, 1), 'utf8'));
    writeFileSync(headAt(folder, 1), await forger.attest(head, undefined));
    expect(() => verifyArchive(folder, PUBLIC)).toThrow('head-000000000001.json has no signature');
  });

  it('finds a head of the right key over a gap', async () => {
    const folder = copyOf(whole);
    const signer = signerOf(privateKey);
    rmSync(segmentAt(folder, 2));
    cpSync(segmentAt(folder, 3), segmentAt(folder, 2));
    const first = readFileSync(headAt(folder, 1), 'utf8');
    const third = signer.open(readFileSync(headAt(folder, 3), 'utf8'));
    const { previous } = signer.open(readFileSync(headAt(folder, 2), 'utf8'));
    const forged = await signer.attest({ ...third, number: 2, previous }, first);
    writeFileSync(headAt(folder, 2), forged);
    expect(() => verifyArchive(folder, PUBLIC)).toThrow('does not continue');
  });
});

describe('several workers', () => {
  it('continue after one that stopped between a segment and its head', async () => {
    const folder = copyOf(whole);
    rmSync(headAt(folder, 3));
    expect(verifyArchive(folder, PUBLIC)).toMatchObject({ heads: 2, unsigned: 1 });
    expect((await runExport(folder)).refused).toEqual([]);
    const { links } = verifyArchive(whole, PUBLIC);
    expect(verifyArchive(folder, PUBLIC)).toMatchObject({ heads: 3, unsigned: 0, links });
  });

  it('sign no segment that the database does not have', async () => {
    const folder = copyOf(whole);
    rmSync(headAt(folder, 3));
    const text = readFileSync(segmentAt(folder, 3), 'utf8');
    writeFileSync(segmentAt(folder, 3), text.replace(/"aud_\w/, '"aud_x'));
    const { count, refused } = await runExport(folder);
    expect([count, refused]).toEqual([
      0,
      [expect.objectContaining({ text: AUDIT_EXPORT_REFUSED })],
    ]);
    expect(readdirSync(folder)).toHaveLength(5);
  });

  it('share an archive: each link is in it once', async () => {
    const folder = newFolder();
    for (let round = 0; round < 3; round += 1) {
      await addLinks();
      await Promise.all([1, 2, 3].map(() => runExport(folder)));
    }
    await runExport(folder);
    const { links, chains } = verifyArchive(folder, PUBLIC);
    expect(links).toBe(chains.reduce((sum, { position }) => sum + position, 0));
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});

describe('history that was changed after its export', () => {
  /** Runs the export on the changed database, and restores the links. */
  async function withLinks(change: string) {
    const folder = copyOf(whole);
    await runExport(folder);
    const before = readdirSync(folder);
    const links = await chain.world.rows('select * from audit_link');
    const heads = await chain.world.rows('select * from event_head');
    await chain.world.rows(change);
    const { refused } = await runExport(folder);
    const grown = readdirSync(folder).length - before.length;
    await chain.world.rows('delete from audit_link; delete from event_head', undefined);
    for (const [table, rows] of [['audit_link', links] as const, ['event_head', heads] as const])
      for (const row of rows)
        await chain.world.rows(
          `insert into ${table} values (${Object.keys(row)
            .map((_, at) => `$${at + 1}`)
            .join()})`,
          Object.values(row),
        );
    return { refused, grown };
  }
  const rehashed = (where: string) =>
    `update audit_link set hash = sha256(hash) where ${where};
     update event_head set chain_hash = sha256(chain_hash) where ${where}`;

  it.each([
    ['a rewritten chain', () => rehashed(`marketplace_id = ${chain.number}`)],
    ["the platform's chain, rewritten", () => rehashed('marketplace_id = 0')],
    [
      'a chain that was cut off',
      () => `delete from audit_link where marketplace_id = 0 and position > 2;
        update event_head set chain_position = 2 where marketplace_id = 0`,
    ],
    ['a chain that is gone', () => 'delete from event_head where marketplace_id = 0'],
  ])('is refused and reported: %s', async (_, change) => {
    const { refused, grown } = await withLinks(change());
    expect(refused).toEqual([expect.objectContaining({ text: AUDIT_EXPORT_REFUSED })]);
    expect(grown).toBe(0);
  });

  it('gets no signature', async () => {
    const signer = signerOf(privateKey);
    const file = readFileSync(headAt(whole, 2), 'utf8');
    const third = signer.open(readFileSync(headAt(whole, 3), 'utf8'));
    for (const changed of [
      { ...third, number: 4 },
      { ...third, previous: null },
      { ...third, chains: third.chains.slice(1) },
      { ...third, chains: third.chains.map((end) => ({ ...end, position: 1 })) },
    ])
      await expect(signer.attest(changed, file)).rejects.toThrow('does not extend');
  });
});
