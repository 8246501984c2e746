import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { openChainWorld } from '../testing/chain-world.ts';
import { useOpened } from '../testing/use-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-verify-'));
const chain = useOpened(openChainWorld);
afterAll(() => rmSync(folder, { recursive: true }));

interface Run {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

function run(...args: string[]): Promise<Run> {
  const main = fileURLToPath(new URL('./verify-audit.ts', import.meta.url));
  const { DATABASE_URL: _, ...env } = process.env;
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--conditions=@holdfast/source', main, ...args],
      { env },
      (_error, out, error) => resolve({ code: child.exitCode ?? -1, out, error }),
    );
  });
}

it('exits with 0 and prints every head, for later comparison', async () => {
  const { databaseUrl } = chain.world;
  const text = await run('--database', databaseUrl);
  expect([text.code, text.error]).toEqual([0, '']);
  const [head] = chain.anchors.get(chain.market.id) ?? [];
  expect(text.out).toContain(
    `${chain.market.id} OK     ${head?.position} links, head ${head?.hash}, 0 anchors matched\n`,
  );
  expect(text.out).toMatch(/\nPASSED: 3 chains verified, 0 broken; \d+ links in /);

  const printed = await run('--database', databaseUrl, '--json');
  const file = join(folder, 'anchors.jsonl');
  writeFileSync(file, printed.out);
  const lines = printed.out.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toContainEqual({
    marketplaceId: chain.market.id,
    position: head?.position,
    hash: head?.hash,
    anchors: 0,
    fault: null,
    time: expect.stringMatching(/Z$/),
  });
  const compared = await run('--database', databaseUrl, '--anchors', file);
  expect([compared.code, compared.out.match(/ 1 anchor matched/g)?.length]).toEqual([0, 3]);
});

it('exits with 1 and names the row when a chain is broken', async () => {
  const { id } = chain.credit();
  const set = (actor: string) =>
    chain.world.rows(`update audit set actor_id = ${actor} where id = $1`, [id]);
  await set(`'x' || actor_id`);
  const text = await run('--database', chain.world.databaseUrl);
  const json = await run('--database', chain.world.databaseUrl, '--json');
  await set('substr(actor_id, 2)');
  expect([text.code, json.code]).toEqual([1, 1]);
  expect(text.out).toMatch(new RegExp(`^${chain.market.id} BROKEN .*${id}`, 'm'));
  const faults = json.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).fault);
  expect(faults).toContainEqual(expect.objectContaining({ kind: 'row_changed', auditId: id }));
});

it('names the platform when its chain is broken', async () => {
  const set = (reason: string) =>
    chain.world.rows(`update audit set reason = ${reason} where marketplace_id = 0`);
  await set(`'x'`);
  const { code, out } = await run('--database', chain.world.databaseUrl);
  await set('null');
  expect(code).toBe(1);
  expect(out).toMatch(/^platform BROKEN audit row aud_\w+ at position 1 /m);
});

it('exits with 2 and prints the reason when it could not check', async () => {
  const { databaseUrl } = chain.world;
  const bad = join(folder, 'bad.jsonl');
  writeFileSync(bad, 'not an anchor\n');
  const bound = new URL(databaseUrl);
  bound.searchParams.set('options', '-c role=holdfast_api');
  for (const [args, why] of [
    [[], 'no database URL: pass --database URL or set DATABASE_URL'],
    [['--database', 'postgres://root@127.0.0.1:1/nowhere'], 'ECONNREFUSED'],
    [['--database', bound.href], 'does not see every marketplace'],
    [['--database', databaseUrl, '--anchors', bad], 'bad.jsonl:1 is not a valid anchor'],
    [['--database', databaseUrl, '--anchors', `${bad}.gone`], 'no such file'],
    [['--databse', databaseUrl], 'databse'],
  ] as const) {
    const { code, error } = await run(...args);
    expect(code, error).toBe(2);
    expect(error).toContain(why);
  }
});
