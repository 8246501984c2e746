import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditBooks, dealIn, type EscrowWorld } from '../testing/escrows.ts';
import { type Desk, desk } from '../testing/operators.ts';
import { openPayoutWorld, withdrawalIn } from '../testing/withdrawals.ts';
import type { Market } from '../testing/world.ts';

let world: EscrowWorld;
let market: Market;
let [asker, second, support]: Desk[] = [];
beforeAll(async () => {
  world = await openPayoutWorld({ HOLDFAST_APPROVAL_LIMIT: '10.00' });
  market = await world.market();
  asker = await desk(world, { marketplaceId: market.id, role: 'finance' });
  second = await desk(world, { marketplaceId: market.id, role: 'finance' });
  support = await desk(world, { marketplaceId: market.id, role: 'support' });
});
afterAll(() => world.close());

const send = (by: Desk | undefined, path: string, body: object = {}, headers = {}) =>
  (by as Desk).send('POST', path, { body, headers });
const approve = (by: Desk | undefined, id: string) => send(by, `/approvals/${id}/approve`);
const statusOf = async (id: string) =>
  (await market.send('GET', `/approvals/${id}`)).json.data.data.status;

async function asked(by: Desk | undefined, path: string, body: object = {}): Promise<string> {
  const answer = await send(by, path, body);
  expect(answer.status, answer.text).toBe(202);
  return answer.json.data.data.id;
}

const availableOf = async (userId: string) =>
  (await market.send('GET', `/users/${userId}/balance`)).json.data.data.available;

describe('an adjustment', () => {
  const ask = async (kind: 'credit' | 'debit', amount: string) => {
    const userId = await market.user();
    return { userId, id: await asked(asker, `/users/${userId}/balance/${kind}`, { amount }) };
  };

  it('is made once, for whoever asked, and tells of both', async () => {
    const { userId, id } = await ask('credit', '12.00');
    const answer = await approve(second, id);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json.data.data).toMatchObject({
      status: 'EXECUTED',
      requestedBy: { id: asker?.id },
      decidedBy: { id: second?.id },
    });
    expect(await availableOf(userId)).toBe('12.00');
    const [deed] = await world.rows(
      `select actor_type, actor_id, reason from audit where resource_id = $1
         and action = 'BALANCE_CREDITED'`,
      [userId],
    );
    expect(deed).toEqual({
      actor_type: 'OPERATOR',
      actor_id: asker?.id,
      reason: `a test (${id}, approved by Ada, ${second?.id})`,
    });
    const again = await approve(second, id);
    expect([again.status, again.json.error.code]).toEqual([409, 'INVALID_STATE']);
    expect(await availableOf(userId)).toBe('12.00');
  });

  it('is made once though many approve at a time', async () => {
    const { userId, id } = await ask('credit', '3.00');
    const admin = await desk(world, { marketplaceId: market.id, role: 'admin' });
    const answers = await Promise.all([second, admin, second, admin].map((by) => approve(by, id)));
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(await availableOf(userId)).toBe('3.00');
    expect(await statusOf(id)).toBe('EXECUTED');
  });

  it('goes on where a process died after it was approved', async () => {
    const { userId, id } = await ask('credit', '4.00');
    await world.rows(
      `update approval set status = 'APPROVED', decided_by = $2, decided_by_email = 'e',
        decided_by_name = 'n', decided_at = now() where id = $1`,
      [id, second?.id],
    );
    expect((await approve(second, id)).json.data.data.status).toBe('EXECUTED');
    await world.rows(`update approval set status = 'APPROVED' where id = $1`, [id]);
    expect((await approve(second, id)).json.data.data.status, 'and after it was made').toBe(
      'EXECUTED',
    );
    expect(await availableOf(userId)).toBe('4.00');
  });

  it('fails as it would have, when things are no longer as they were', async () => {
    const { id } = await ask('debit', '1.00');
    const refused = await approve(second, id);
    expect([refused.status, refused.json.error.code]).toEqual([422, 'INSUFFICIENT_FUNDS']);
    const { json } = await market.send('GET', `/approvals/${id}`);
    expect(json.data.data).toMatchObject({ status: 'FAILED', refusalCode: 'INSUFFICIENT_FUNDS' });
    expect((await approve(second, id)).json.error.code).toBe('INVALID_STATE');
  });

  it('is not made for somebody who may not ask for it any more', async () => {
    const gone = await desk(world, { marketplaceId: market.id, role: 'finance' });
    const userId = await market.user();
    const id = await asked(gone, `/users/${userId}/balance/credit`, { amount: '1.00' });
    const body = { memberships: [{ marketplaceId: market.id, role: 'viewer' }] };
    await world.send('PUT', `/operators/${gone.id}/memberships`, { key: world.masterKey, body });
    expect((await approve(second, id)).json.error.code).toBe('OPERATOR_ROLE_REQUIRED');
    expect(await availableOf(userId)).toBe('0.00');
  });

  it('is not made when it was rejected, and says why', async () => {
    const { userId, id } = await ask('credit', '5.00');
    const headers = { 'x-holdfast-reason': 'no%20receipt' };
    const rejected = await send(second, `/approvals/${id}/reject`, {}, headers);
    expect(rejected.json.data.data).toMatchObject({
      status: 'REJECTED',
      decisionReason: 'no receipt',
      decidedBy: { id: second?.id },
    });
    expect((await approve(second, id)).json.error.code).toBe('INVALID_STATE');
    expect(await availableOf(userId)).toBe('0.00');
  });
});

describe('whoever decides', () => {
  it('is somebody else, with a role that could have asked', async () => {
    const userId = await market.user();
    const id = await asked(asker, `/users/${userId}/balance/credit`, { amount: '7.00' });
    for (const move of ['approve', 'reject']) {
      const codes = [];
      for (const by of [asker, support]) {
        const { status, json } = await send(by, `/approvals/${id}/${move}`);
        codes.push(`${status} ${json.error.code}`);
      }
      expect(codes).toEqual(['403 SECOND_PERSON_REQUIRED', '403 OPERATOR_ROLE_REQUIRED']);
    }
    const stranger = await desk(world, {
      marketplaceId: (await world.market()).id,
      role: 'admin',
    });
    expect((await approve(stranger, id)).json.error.code).toBe('APPROVAL_NOT_FOUND');
    for (const key of [market.key, world.masterKey])
      expect((await world.send('POST', `/approvals/${id}/approve`, { key })).status).toBe(401);
    expect(await statusOf(id)).toBe('PENDING');
  });
});

describe('a decision about a dispute', () => {
  it('is carried out by its own saga, and claimed by whoever asked', async () => {
    const deal = await dealIn(world, market, 'UNDER_REVIEW');
    const parts = { releaseAmount: '50.00', refundAmount: '50.00' };
    const body = { decision: 'SPLIT', ...parts, note: 'half each' };
    const other = await desk(world, { marketplaceId: market.id, role: 'support' });
    const id = await asked(support, `/disputes/${deal.disputeId}/resolve`, body);
    expect((await market.send('GET', `/disputes/${deal.disputeId}`)).json.data.data.status).toBe(
      'UNDER_REVIEW',
    );
    const answer = await approve(other, id);
    expect(answer.status, answer.text).toBe(200);
    const dispute = (await market.send('GET', `/disputes/${deal.disputeId}`)).json.data.data;
    expect(dispute).toMatchObject({ status: 'RESOLVED', resolutionDecision: 'SPLIT' });
    const [deed] = await world.rows(
      `select actor_id, reason from audit where resource_id = $1
         and action = 'DISPUTE_DECISION_CLAIMED'`,
      [deal.disputeId],
    );
    expect(deed).toEqual({
      actor_id: support?.id,
      reason: `a test (${id}, approved by Ada, ${other.id}); half each`,
    });
    expect(await auditBooks(world)).toEqual([]);
  });

  it('is refused when somebody has decided meanwhile', async () => {
    const deal = await dealIn(world, market, 'UNDER_REVIEW');
    const path = `/disputes/${deal.disputeId}/resolve`;
    const other = await desk(world, { marketplaceId: market.id, role: 'support' });
    const id = await asked(support, path, { decision: 'FULL_REFUND' });
    await market.send('POST', path, { body: { decision: 'FULL_RELEASE' } });
    const refused = await approve(other, id);
    expect([refused.status, refused.json.error.code]).toEqual([409, 'INVALID_STATE']);
    expect(await statusOf(id)).toBe('FAILED');
  });
});

describe('an order and a withdrawal', () => {
  it('are settled by their own operations', async () => {
    const other = await desk(world, { marketplaceId: market.id, role: 'support' });
    const deal = await dealIn(world, market, 'IN_PROGRESS');
    const refund = await asked(support, `/orders/${deal.id}/resolution/refund`, { reason: 'lost' });
    expect((await approve(other, refund)).json.data.data.status).toBe('EXECUTED');
    const order = (await market.send('GET', `/orders/${deal.id}`)).json.data.data;
    expect(order).toMatchObject({ status: 'CLOSED', closeReason: 'REFUNDED' });
    const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_CREATED');
    const commit = await asked(asker, `/withdrawals/${withdrawal.id}/commit`);
    const answer = await approve(second, commit);
    expect(answer.json.data?.data.status, answer.text).toBe('EXECUTED');
    const { status } = (await market.send('GET', `/withdrawals/${withdrawal.id}`)).json.data.data;
    expect(status).not.toBe('WITHDRAWAL_CREATED');
  });

  it('up to the limit are settled at once', async () => {
    const deal = await dealIn(world, market, 'IN_PROGRESS', { amount: '10.00' });
    const path = `/orders/${deal.id}/resolution/refund`;
    const { status, json } = await send(support, path, { reason: 'lost' });
    expect([status, json.data.data.closeReason]).toEqual([200, 'REFUNDED']);
  });
});
