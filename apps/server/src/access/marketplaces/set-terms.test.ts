//! Tests the terms of a marketplace: versions, a second approver, and who may see them.
import { newId } from '@holdfast/kernel/ids';
import { describe, expect, it } from 'vitest';
import { desk } from '../../testing/operators.ts';
import { useWorld } from '../../testing/use-world.ts';

const world = useWorld();

const path = (id: string) => `/marketplaces/${id}/terms`;
const get = async (id: string) =>
  (await world.send('GET', path(id), { key: world.masterKey })).json.data.data;
const put = (id: string, body: object) =>
  world.send('PUT', path(id), { key: world.masterKey, body });

describe('terms', () => {
  it('start with defaults, and each change is a new version; what is left out stays', async () => {
    const { id } = await world.market();
    expect(await get(id)).toMatchObject({
      version: 0,
      payinFee: 'MARKETPLACE',
      suspendOnReversal: true,
      debtLimit: '1000.00',
      setAt: null,
    });
    await put(id, { payinFee: 'USER', debtLimit: '250.00', reason: 'users bear it' });
    const { json } = await put(id, { suspendOnReversal: false, reason: 'support decides' });
    expect(json.data.data).toMatchObject({
      marketplaceId: id,
      version: 2,
      payinFee: 'USER',
      suspendOnReversal: false,
      debtLimit: '250.00',
      reason: 'support decides',
    });
    const audited = await world.rows(
      `select before, after, reason from audit
       where action = 'MARKETPLACE_TERMS_SET' and resource_id = $1 order by id`,
      [id],
    );
    expect(audited).toMatchObject([
      { before: { version: 0 }, after: { version: 1, payinFee: 'USER' } },
      { before: { version: 1 }, after: { version: 2, suspendOnReversal: false } },
    ]);
    const versions = await world.rows(
      `select version from marketplace_terms t join marketplace m on m.id = t.marketplace_id
       where m.public_id = $1 order by version`,
      [id],
    );
    expect(versions).toEqual([{ version: 1 }, { version: 2 }]);
  });

  it('of an operator need a second approver', async () => {
    const { id } = await world.market();
    const one = await desk(world, { role: 'finance', marketplaceId: id });
    const requested = await one.send('PUT', path(id), {
      body: { payinFee: 'USER', reason: 'users bear it' },
    });
    expect(requested.status).toBe(202);
    const approvalId = requested.json.data.data.id as string;
    expect(await get(id)).toMatchObject({ version: 0, payinFee: 'MARKETPLACE' });
    const other = await desk(world, { role: 'finance', marketplaceId: id });
    const approved = await other.send('POST', `/approvals/${approvalId}/approve`, { body: {} });
    expect(approved.status).toBe(200);
    expect(await get(id)).toMatchObject({ version: 1, payinFee: 'USER' });
  });

  it('of an unknown marketplace are not found; a marketplace key has no access', async () => {
    const market = await world.market();
    expect((await put(newId('mkt', Date.now()), { reason: 'x' })).status).toBe(404);
    expect((await put(market.id, { debtLimit: '-1', reason: 'x' })).status).toBe(400);
    expect((await market.send('PUT', path(market.id), { body: { reason: 'x' } })).status).toBe(403);
  });
});
