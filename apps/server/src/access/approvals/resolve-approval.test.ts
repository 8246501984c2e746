import { describe, expect, it } from 'vitest';
import { auditBooks, escrowOrderIn } from '../../testing/escrows.ts';
import { type Desk, desk, requestApproval } from '../../testing/operators.ts';
import { useOpened } from '../../testing/use-world.ts';
import {
  createdBy,
  type Payee,
  payeeWith,
  usePayoutWorld,
  withdrawalIn,
} from '../../testing/withdrawals.ts';

const { world, market } = usePayoutWorld({ HOLDFAST_APPROVAL_LIMIT: '10.00' });
const deskAs = (role: 'finance' | 'support') =>
  useOpened(() => desk(world, { marketplaceId: market.id, role }));
const requester = deskAs('finance');
const second = deskAs('finance');
const support = deskAs('support');

const send = (by: Desk, path: string, body: object = {}, headers = {}) =>
  by.send('POST', path, { body, headers });
const approve = (by: Desk, id: string) => send(by, `/approvals/${id}/approve`);
const statusOf = async (id: string) =>
  (await market.send('GET', `/approvals/${id}`)).json.data.data.status;

const availableOf = async (userId: string) =>
  (await market.send('GET', `/users/${userId}/balance`)).json.data.data.available;

describe('resolve approval of an adjustment', () => {
  const requestAdjustment = async (kind: 'credit' | 'debit', amount: string) => {
    const userId = await market.user();
    return {
      userId,
      id: await requestApproval(requester, `/users/${userId}/balance/${kind}`, { amount }),
    };
  };

  it('executes it once, as the requester, and audits requester and approver', async () => {
    const { userId, id } = await requestAdjustment('credit', '12.00');
    const response = await approve(second, id);
    expect(response.status, response.text).toBe(200);
    expect(response.json.data.data).toMatchObject({
      status: 'EXECUTED',
      requestedBy: { id: requester.id },
      decidedBy: { id: second.id },
    });
    expect(await availableOf(userId)).toBe('12.00');
    const [audited] = await world.rows(
      `select actor_type, actor_id, reason from audit where resource_id = $1
         and action = 'BALANCE_CREDITED'`,
      [userId],
    );
    expect(audited).toEqual({
      actor_type: 'OPERATOR',
      actor_id: requester.id,
      reason: `a test (${id}, approved by Ada, ${second.id})`,
    });
    const again = await approve(second, id);
    expect([again.status, again.json.error.code]).toEqual([409, 'INVALID_STATE']);
    expect(await availableOf(userId)).toBe('12.00');
  });

  it('executes it once though many approve at a time', async () => {
    const { userId, id } = await requestAdjustment('credit', '3.00');
    const admin = await desk(world, { marketplaceId: market.id, role: 'admin' });
    const responses = await Promise.all(
      [second, admin, second, admin].map((by) => approve(by, id)),
    );
    expect(responses.some(({ status }) => status === 200)).toBe(true);
    expect(await availableOf(userId)).toBe('3.00');
    expect(await statusOf(id)).toBe('EXECUTED');
  });

  it('resumes where a process died after the approval', async () => {
    const { userId, id } = await requestAdjustment('credit', '4.00');
    await world.rows(
      `update approval set status = 'APPROVED', decided_by = $2, decided_by_email = 'e',
        decided_by_name = 'n', decided_at = now() where id = $1`,
      [id, second.id],
    );
    expect((await approve(second, id)).json.data.data.status).toBe('EXECUTED');
    await world.rows(`update approval set status = 'APPROVED' where id = $1`, [id]);
    expect((await approve(second, id)).json.data.data.status, 'and after it was made').toBe(
      'EXECUTED',
    );
    expect(await availableOf(userId)).toBe('4.00');
  });

  it('fails as the request would, when the state has changed since', async () => {
    const { id } = await requestAdjustment('debit', '1.00');
    const refused = await approve(second, id);
    expect([refused.status, refused.json.error.code]).toEqual([422, 'INSUFFICIENT_FUNDS']);
    const { json } = await market.send('GET', `/approvals/${id}`);
    expect(json.data.data).toMatchObject({ status: 'FAILED', refusalCode: 'INSUFFICIENT_FUNDS' });
    expect((await approve(second, id)).json.error.code).toBe('INVALID_STATE');
  });

  it('is not executed for a requester who has lost the role', async () => {
    const gone = await desk(world, { marketplaceId: market.id, role: 'finance' });
    const userId = await market.user();
    const id = await requestApproval(gone, `/users/${userId}/balance/credit`, { amount: '1.00' });
    const body = { memberships: [{ marketplaceId: market.id, role: 'viewer' }] };
    await world.send('PUT', `/operators/${gone.id}/memberships`, { key: world.masterKey, body });
    expect((await approve(second, id)).json.error.code).toBe('OPERATOR_ROLE_REQUIRED');
    expect(await availableOf(userId)).toBe('0.00');
  });

  it('is not executed when it was rejected, and gives the reason', async () => {
    const { userId, id } = await requestAdjustment('credit', '5.00');
    const headers = { 'x-holdfast-reason': 'no%20receipt' };
    const rejected = await send(second, `/approvals/${id}/reject`, {}, headers);
    expect(rejected.json.data.data).toMatchObject({
      status: 'REJECTED',
      decisionReason: 'no receipt',
      decidedBy: { id: second.id },
    });
    expect((await approve(second, id)).json.error.code).toBe('INVALID_STATE');
    expect(await availableOf(userId)).toBe('0.00');
  });
});

describe('the approver', () => {
  it('is another operator, with a role that could have made the request', async () => {
    const userId = await market.user();
    const id = await requestApproval(requester, `/users/${userId}/balance/credit`, {
      amount: '7.00',
    });
    for (const move of ['approve', 'reject']) {
      const codes = [];
      for (const by of [requester, support]) {
        const { status, json } = await send(by, `/approvals/${id}/${move}`);
        codes.push(`${status} ${json.error.code}`);
      }
      expect(codes).toEqual(['403 SECOND_APPROVER_REQUIRED', '403 OPERATOR_ROLE_REQUIRED']);
    }
    const outsider = await desk(world, {
      marketplaceId: (await world.market()).id,
      role: 'admin',
    });
    expect((await approve(outsider, id)).json.error.code).toBe('APPROVAL_NOT_FOUND');
    for (const key of [market.key, world.masterKey])
      expect((await world.send('POST', `/approvals/${id}/approve`, { key })).status).toBe(401);
    expect(await statusOf(id)).toBe('PENDING');
  });
});

describe('resolve approval of a dispute decision', () => {
  it('is executed by its own saga, and claimed by the requester', async () => {
    const fixture = await escrowOrderIn(world, market, 'UNDER_REVIEW');
    const parts = { releaseAmount: '50.00', refundAmount: '50.00' };
    const body = { decision: 'SPLIT', ...parts, note: 'half each' };
    const other = await desk(world, { marketplaceId: market.id, role: 'support' });
    const id = await requestApproval(support, `/disputes/${fixture.disputeId}/resolve`, body);
    expect((await market.send('GET', `/disputes/${fixture.disputeId}`)).json.data.data.status).toBe(
      'UNDER_REVIEW',
    );
    const response = await approve(other, id);
    expect(response.status, response.text).toBe(200);
    const dispute = (await market.send('GET', `/disputes/${fixture.disputeId}`)).json.data.data;
    expect(dispute).toMatchObject({ status: 'RESOLVED', resolutionDecision: 'SPLIT' });
    const [audited] = await world.rows(
      `select actor_id, reason from audit where resource_id = $1
         and action = 'DISPUTE_DECISION_CLAIMED'`,
      [fixture.disputeId],
    );
    expect(audited).toEqual({
      actor_id: support.id,
      reason: `a test (${id}, approved by Ada, ${other.id}); half each`,
    });
    expect(await auditBooks(world)).toEqual([]);
  });

  it('is refused when the dispute was decided meanwhile', async () => {
    const fixture = await escrowOrderIn(world, market, 'UNDER_REVIEW');
    const path = `/disputes/${fixture.disputeId}/resolve`;
    const other = await desk(world, { marketplaceId: market.id, role: 'support' });
    const id = await requestApproval(support, path, { decision: 'FULL_REFUND' });
    await market.send('POST', path, { body: { decision: 'FULL_RELEASE' } });
    const refused = await approve(other, id);
    expect([refused.status, refused.json.error.code]).toEqual([409, 'INVALID_STATE']);
    expect(await statusOf(id)).toBe('FAILED');
  });
});

describe('resolve approval of orders and withdrawals', () => {
  it('settles them by their own operations', async () => {
    const other = await desk(world, { marketplaceId: market.id, role: 'support' });
    const fixture = await escrowOrderIn(world, market, 'IN_PROGRESS');
    const refund = await requestApproval(support, `/orders/${fixture.id}/resolution/refund`, {
      reason: 'lost',
    });
    expect((await approve(other, refund)).json.data.data.status).toBe('EXECUTED');
    const order = (await market.send('GET', `/orders/${fixture.id}`)).json.data.data;
    expect(order).toMatchObject({ status: 'CLOSED', closeReason: 'REFUNDED' });
    const withdrawal = await withdrawalIn(world, market, 'WITHDRAWAL_CREATED');
    const commit = await requestApproval(requester, `/withdrawals/${withdrawal.id}/commit`);
    const response = await approve(second, commit);
    expect(response.json.data?.data.status, response.text).toBe('EXECUTED');
    const { status } = (await market.send('GET', `/withdrawals/${withdrawal.id}`)).json.data.data;
    expect(status).not.toBe('WITHDRAWAL_CREATED');
  });

  it('settles amounts up to the limit at once', async () => {
    const fixture = await escrowOrderIn(world, market, 'IN_PROGRESS', { amount: '10.00' });
    const path = `/orders/${fixture.id}/resolution/refund`;
    const { status, json } = await send(support, path, { reason: 'lost' });
    expect([status, json.data.data.closeReason]).toEqual([200, 'REFUNDED']);
  });
});

describe('decisions without a second approver', () => {
  const paying = async (amount: string, known?: Payee) => {
    const payee = known ?? (await payeeWith(world, market));
    return { payee, id: await createdBy(world, market, payee, { amount }) };
  };
  const commit = async (by: Desk, { id }: { id: string }) =>
    (await send(by, `/withdrawals/${id}/commit`)).status;

  it('count together for a day, also when they are made at the same time', async () => {
    const alone = await desk(world, { marketplaceId: market.id, role: 'finance' });
    const payments = await Promise.all(Array.from({ length: 4 }, () => paying('4.00')));
    const statuses = await Promise.all(payments.map((each) => commit(alone, each)));
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 202, 202]);
    await world.rows(
      `update decided_alone set decided_at = decided_at - interval '24 hours'
        where operator_id = $1`,
      [alone.id],
    );
    expect(await commit(alone, await paying('10.00'))).toBe(200);
  });

  it('count together for a user, whichever operators made them', async () => {
    const [one, other] = [
      await desk(world, { marketplaceId: market.id, role: 'finance' }),
      await desk(world, { marketplaceId: market.id, role: 'finance' }),
    ];
    const first = await paying('6.00');
    expect(await commit(one, first)).toBe(200);
    expect(await commit(other, await paying('6.00', first.payee))).toBe(202);
    expect(await commit(other, await paying('6.00'))).toBe(200);
  });

  it('do not count what two operators decided', async () => {
    const [one, other] = [
      await desk(world, { marketplaceId: market.id, role: 'finance' }),
      await desk(world, { marketplaceId: market.id, role: 'finance' }),
    ];
    const { id } = await paying('11.00');
    const approval = await requestApproval(one, `/withdrawals/${id}/commit`);
    expect((await approve(other, approval)).json.data.data.status).toBe('EXECUTED');
    expect(await commit(one, await paying('10.00'))).toBe(200);
  });
});
