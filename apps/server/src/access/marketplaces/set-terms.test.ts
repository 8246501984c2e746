//! Tests the terms of a marketplace: versions, a second approver, and who may see them.
import { newId } from '@holdfast/kernel/ids';
import { describe, expect, it } from 'vitest';
import { desk } from '../../testing/operators.ts';
import { useMarket } from '../../testing/use-world.ts';

const { world, market } = useMarket();

const path = (id = market.id) => `/marketplaces/${id}/terms`;
const put = (body: object, id = market.id) =>
  world.send('PUT', path(id), { key: world.masterKey, body });

describe('terms', () => {
  it('start with defaults, and each change is a new version; what is left out stays', async () => {
    const first = await world.send('GET', path(), { key: world.masterKey });
    expect(first.json.data.data).toMatchObject({
      version: 0,
      payinFee: 'MARKETPLACE',
      suspendOnReversal: true,
      debtLimit: '1000.00',
      setAt: null,
    });
    await put({ payinFee: 'USER', debtLimit: '250.00', reason: 'users bear it' });
    const { json } = await put({ suspendOnReversal: false, reason: 'support decides' });
    expect(json.data.data).toMatchObject({
      marketplaceId: market.id,
      version: 2,
      payinFee: 'USER',
      suspendOnReversal: false,
      debtLimit: '250.00',
      reason: 'support decides',
    });
    const audited = await world.rows(
      `select before, after, reason from audit where action = 'MARKETPLACE_TERMS_SET' order by id`,
    );
    expect(audited).toMatchObject([
      { before: { version: 0 }, after: { version: 1, payinFee: 'USER' } },
      { before: { version: 1 }, after: { version: 2, suspendOnReversal: false } },
    ]);
    const versions = await world.rows('select version from marketplace_terms order by version');
    expect(versions).toEqual([{ version: 1 }, { version: 2 }]);
  });

  it('of an operator need a second approver', async () => {
    const one = await desk(world, { role: 'finance', marketplaceId: market.id });
    const requested = await one.send('PUT', path(), {
      body: { payinFee: 'MARKETPLACE', reason: 'we bear it' },
    });
    expect(requested.status).toBe(202);
    const approvalId = requested.json.data.data.id as string;
    const other = await desk(world, { role: 'finance', marketplaceId: market.id });
    const approved = await other.send('POST', `/approvals/${approvalId}/approve`, { body: {} });
    expect(approved.status).toBe(200);
    const now = await world.send('GET', path(), { key: world.masterKey });
    expect(now.json.data.data).toMatchObject({ version: 3, payinFee: 'MARKETPLACE' });
  });

  it('of an unknown marketplace are not found; a marketplace key has no access', async () => {
    expect((await put({ reason: 'x' }, newId('mkt', Date.now()))).status).toBe(404);
    expect((await put({ debtLimit: '-1', reason: 'x' })).status).toBe(400);
    expect((await market.send('PUT', path(), { body: { reason: 'x' } })).status).toBe(403);
  });
});
