import { expect, it } from 'vitest';
import { openEscrowWorld } from '../../testing/escrows.ts';
import { useOpened } from '../../testing/use-world.ts';
import { getSystem } from './get-system.ts';

const DASHBOARDS = 'https://grafana.example/d/holdfast-overview';
const world = useOpened(() => openEscrowWorld({ HOLDFAST_DASHBOARD_URL: DASHBOARDS }));

it('returns the health of dependencies, the queues and the running versions', async () => {
  const [market, otherMarket] = [await world.market(), await world.market()];
  await market.user();
  const { json } = await market.send('GET', '/system');
  const { dependencies, queues, migration, events, dashboardUrl } = json.data.data;
  expect(dashboardUrl).toBe(DASHBOARDS);
  const status = (name: string) =>
    dependencies.find((each: { name: string }) => each.name === name)?.status;
  expect(['database', 'escrowProvider', 'paymentProvider', 'ledgerNetwork'].map(status)).toEqual(
    Array(4).fill('ok'),
  );
  expect(status('redis')).toBe('off');
  expect(migration).toMatch(/^\d{4}_/);
  const waiting = (name: string) =>
    queues.find((each: { name: string }) => each.name === name)?.waiting;
  expect([waiting('events') > 0, waiting('wallets'), waiting('inbox')]).toEqual([true, 1, 0]);
  expect(events.position).toBe('0');
  const other = await getSystem(world.app, otherMarket.call);
  expect(other.queues.every((queue) => queue.waiting === 0 || queue.name === 'events')).toBe(true);
});
