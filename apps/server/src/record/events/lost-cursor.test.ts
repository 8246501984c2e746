import { manualClock, microsText } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { listen, openSse, publishSequenced } from '../../testing/sse.ts';
import { eventually } from '../../testing/until.ts';
import { useWorld } from '../../testing/use-world.ts';

const clock = manualClock(Date.now());
const SOON_MS = 3000;
const world = useWorld({ clock });

it('gets a reset once for events that a restore has lost', async () => {
  const base = await listen(world);
  const market = await world.market();
  await publishSequenced(world, market, 1);
  const at = (ms: number) => microsText((clock.now() + ms) * 1000);
  const [lostFrom, cursor] = [at(60_000), at(70_000)];
  await world.rows(
    `insert into lineage (number, system_identifier, timeline, status, reason, lost_from, checked_at)
     select 2, system_identifier, timeline, 'OPEN', '', $1, $2 from lineage`,
    [lostFrom, at(80_000)],
  );
  for (const lost of [cursor, newId('evt', clock.now() + 70_000)]) {
    const reader = await openSse(base, { key: market.key, headers: { 'last-event-id': lost } });
    await eventually(SOON_MS, () => expect(reader.text).toContain('the database was set back'));
    expect(reader.text).toContain(`"retainedSince":"${lostFrom}"`);
    reader.close();
  }
  const { key } = market;
  const log = await world.send('GET', `/events/log?after=${cursor}`, { key });
  expect(log.json.error).toMatchObject({
    code: 'CURSOR_EXPIRED',
    details: { retainedSince: lostFrom },
  });
  const next = await world.send('GET', `/events/log?after=${lostFrom}`, { key });
  expect(next.status).toBe(200);
  await world.rows('delete from lineage where number = 2');
});
