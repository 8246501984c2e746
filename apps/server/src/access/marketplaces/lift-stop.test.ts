//! Tests of who may set a stop, and who may lift it.
import { describe, expect, it } from 'vitest';
import { desk } from '../../testing/operators.ts';
import { stopCalls } from '../../testing/stops.ts';
import { useWorld } from '../../testing/use-world.ts';

const world = useWorld();
const { stopsOf } = stopCalls(world);

describe('who may', () => {
  it('stop: finance and admin, alone; lift: two of them', async () => {
    const market = await world.market();
    const at = (role: 'finance' | 'admin' | 'support' | 'viewer') =>
      desk(world, { marketplaceId: market.id, role });
    const [finance, admin, support] = [await at('finance'), await at('admin'), await at('support')];
    const path = `/marketplaces/${market.id}/stop`;
    const body = { level: 'MONEY', reason: 'a doubt' };
    expect((await support.send('POST', path, { body })).status).toBe(403);
    expect((await finance.send('POST', path, { body })).json.data.data).toMatchObject({
      stoppedBy: finance.id,
      settledAt: expect.any(String),
    });
    const seen = await support.send('GET', `${path}s`);
    expect(seen.json.data.data.standing).toHaveLength(1);
    const requested = await finance.send('POST', `${path}/lift`, { body });
    expect([requested.status, requested.json.data.data]).toEqual([
      202,
      expect.objectContaining({ action: 'liftStop', resourceId: market.id, amount: null }),
    ]);
    const approve = (by: typeof finance) =>
      by.send('POST', `/approvals/${requested.json.data.data.id}/approve`, { body: {} });
    expect((await approve(finance)).json.error.code).toBe('SECOND_APPROVER_REQUIRED');
    expect((await stopsOf(market)).standing).toHaveLength(1);
    expect((await approve(admin)).json.data.data.status).toBe('EXECUTED');
    const { standing, lifted } = await stopsOf(market);
    expect([standing, lifted[0]?.liftedBy]).toEqual([[], finance.id]);
    const none = await finance.send('POST', `${path}/lift`, { body });
    expect(none.json.error.code).toBe('INVALID_STATE');
  });

  it('lift by an approval only the stop that it was requested for', async () => {
    const market = await world.market();
    const [finance, admin] = await Promise.all(
      (['finance', 'admin'] as const).map((role) =>
        desk(world, { marketplaceId: market.id, role }),
      ),
    );
    const path = `/marketplaces/${market.id}/stop`;
    const body = { level: 'MONEY', reason: 'a doubt' };
    await finance?.send('POST', path, { body });
    const requested = await finance?.send('POST', `${path}/lift`, { body });
    await world.send('POST', `${path}/lift`, { key: world.masterKey, body });
    await admin?.send('POST', path, { body: { ...body, reason: 'another doubt' } });
    const approval = `/approvals/${requested?.json.data.data.id}/approve`;
    const approved = await admin?.send('POST', approval, { body: {} });
    expect(approved?.json.error, approved?.text).toMatchObject({ code: 'INVALID_STATE' });
    expect((await stopsOf(market)).standing).toMatchObject([{ reason: 'another doubt' }]);
  });

  it('not: a key of the marketplace, nor operators of another one', async () => {
    const [market, other] = [await world.market(), await world.market()];
    const path = `/marketplaces/${market.id}/stop`;
    const body = { level: 'MONEY', reason: 'a doubt' };
    expect((await market.send('POST', path, { body })).json.error.code).toBe('INSUFFICIENT_SCOPE');
    const foreign = await desk(world, { marketplaceId: other.id, role: 'admin' });
    for (const each of [path, `${path}/lift`])
      expect((await foreign.send('POST', each, { body })).json.error.code).toBe(
        'MARKETPLACE_NOT_FOUND',
      );
    expect((await foreign.send('GET', `${path}s`)).status).toBe(404);
    expect((await stopsOf(market)).standing).toEqual([]);
  });
});
