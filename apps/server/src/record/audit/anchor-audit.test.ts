import { expect, it } from 'vitest';
import { openChainWorld } from '../../testing/chain-world.ts';
import { useOpenedEach } from '../../testing/use-world.ts';
import { anchorAudit } from './anchor-audit.ts';
import { readAnchors } from './anchors.ts';

const chain = useOpenedEach(openChainWorld);

/** The log output, line by line. */
async function anchorLines(): Promise<string[]> {
  const lines: string[] = [];
  const record = (fields: object, msg: string) => lines.push(JSON.stringify({ ...fields, msg }));
  const { pool, log } = chain.world.worker;
  const count = await anchorAudit({
    pool,
    log: Object.assign(Object.create(log), { info: record }),
  });
  expect(count).toBe(lines.length);
  return lines;
}

it('logs every head as the service itself, in lines that a verification reads', async () => {
  const lines = await anchorLines();
  expect(lines.every((line) => line.includes('"msg":"audit head anchored"'))).toBe(true);
  const anchors = readAnchors(lines.join('\n'), 'the log');
  expect(anchors).toEqual(chain.anchors);
  const verdicts = await chain.verdicts('', { anchors });
  expect(verdicts.map((each) => [each.anchors, each.fault])).toEqual(verdicts.map(() => [1, null]));
});

it('leaves out an empty chain', async () => {
  const before = await anchorLines();
  await chain.world.rows(
    `insert into marketplace (public_id, name, created_at) values ('mkt_new', 'new', now())`,
  );
  await chain.world.rows(
    `insert into event_head select id, 0, now(), 0, sha256('') from marketplace
     where public_id = 'mkt_new'`,
  );
  expect(await anchorLines()).toEqual(before);
});
