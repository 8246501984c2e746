import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ChainWorld, openChainWorld } from '../testing/chain-world.ts';
import { anchorAudit } from './anchor-audit.ts';
import { readAnchors } from './anchors.ts';

let chain: ChainWorld;
beforeEach(async () => {
  chain = await openChainWorld();
});
afterEach(() => chain.close());

/** What goes to the log, line by line. */
async function noted(): Promise<string[]> {
  const lines: string[] = [];
  const note = (fields: object, event: string) => lines.push(JSON.stringify({ ...fields, event }));
  const { pool, log } = chain.world.app;
  const count = await anchorAudit({ pool, log: Object.assign(Object.create(log), { info: note }) });
  expect(count).toBe(lines.length);
  return lines;
}

it('notes every head as the service itself, in lines that a verification reads', async () => {
  const lines = await noted();
  expect(lines.every((line) => line.includes('"event":"anchor audit"'))).toBe(true);
  const anchors = readAnchors(lines.join('\n'), 'the log');
  expect(anchors).toEqual(chain.anchors);
  const verdicts = await chain.verdicts('', { anchors });
  expect(verdicts.map((each) => [each.anchors, each.fault])).toEqual(verdicts.map(() => [1, null]));
});

it('leaves out a chain that has not begun', async () => {
  const before = await noted();
  await chain.world.rows(
    `insert into marketplace (public_id, name, created_at) values ('mkt_new', 'new', now())`,
  );
  await chain.world.rows(
    `insert into event_head select id, 0, now(), 0, sha256('') from marketplace
     where public_id = 'mkt_new'`,
  );
  expect(await noted()).toEqual(before);
});
