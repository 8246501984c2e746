//! Resuming an approval: it is executed once, reports its true result, can be rejected in time, and
//! expires.
import { describe, expect, it } from 'vitest';
import { pausePayouts, resumePayouts } from '../../payments/withdrawals/payouts-pause.ts';
import { transact } from '../../platform/database/transact.ts';
import { escrowOrderIn } from '../../testing/escrows.ts';
import { type Desk, desk, requestApproval } from '../../testing/operators.ts';
import { useOpened } from '../../testing/use-world.ts';
import { usePayoutWorld, withdrawalIn } from '../../testing/withdrawals.ts';

const { world, market } = usePayoutWorld({ HOLDFAST_APPROVAL_LIMIT: '10.00' });
const deskAs = (role: 'finance' | 'support') =>
  useOpened(() => desk(world, { marketplaceId: market.id, role }));
const requester = deskAs('finance');
const second = deskAs('finance');
const supports = [deskAs('support'), deskAs('support'), deskAs('support')] as const;

const decide = (by: Desk, id: string, move: 'approve' | 'reject') =>
  by.send('POST', `/approvals/${id}/${move}`, { body: {} });
const approvalOf = async (id: string) =>
  (await market.send('GET', `/approvals/${id}`)).json.data.data;
const availableOf = async (userId: string) =>
  (await market.send('GET', `/users/${userId}/balance`)).json.data.data.available;

async function requestCredit(): Promise<{ readonly userId: string; readonly id: string }> {
  const userId = await market.user();
  return {
    userId,
    id: await requestApproval(requester, `/users/${userId}/balance/credit`, { amount: '5.00' }),
  };
}

/** The state after a process died before it recorded the result. */
const leaveApproved = (id: string, hoursAgo = 0) =>
  world.rows(
    `update approval set status = 'APPROVED', decided_by = $2, decided_by_email = 'e',
      decided_by_name = 'n', decided_at = now() - make_interval(hours => $3) where id = $1`,
    [id, second.id, hoursAgo],
  );

describe('an adjustment that was executed and not recorded', () => {
  it('is not executed again, however late it is approved', async () => {
    const { userId, id } = await requestCredit();
    await decide(second, id, 'approve');
    await leaveApproved(id, 48);
    await world.rows('delete from idempotency');
    const { status, json } = await decide(second, id, 'approve');
    expect([status, json.data?.data.status]).toEqual([200, 'EXECUTED']);
    expect(await availableOf(userId)).toBe('5.00');
  });

  it('is identified by its reference for good: that of the approval, or its own', async () => {
    const { userId, id } = await requestCredit();
    await decide(second, id, 'approve');
    const body = { amount: '6.00', reference: 'invoice 7' };
    const other = await requestApproval(requester, `/users/${userId}/balance/credit`, body);
    await decide(second, other, 'approve');
    const references = await world.rows(
      'select reference from entry_reference where user_id = $1 order by entry_id',
      [userId],
    );
    expect(references).toEqual([{ reference: id }, { reference: 'invoice 7' }]);
  });

  it('cannot be rejected: the result is recorded instead', async () => {
    const { userId, id } = await requestCredit();
    await decide(second, id, 'approve');
    await leaveApproved(id);
    expect((await decide(second, id, 'reject')).json.error.code).toBe('INVALID_STATE');
    expect((await approvalOf(id)).status).toBe('EXECUTED');
    expect(await availableOf(userId)).toBe('5.00');
  });
});

describe('an approval that was not executed', () => {
  it('expires after twelve hours, and is never executed', async () => {
    const { userId, id } = await requestCredit();
    await leaveApproved(id, 12);
    const { status, json } = await decide(second, id, 'approve');
    expect([status, json.error.code]).toEqual([409, 'INVALID_STATE']);
    const reason = expect.stringContaining('12 hours');
    expect(json.error.details).toMatchObject({ state: 'FAILED', reason });
    expect((await approvalOf(id)).status).toBe('FAILED');
    expect(await availableOf(userId)).toBe('0.00');
  });

  it('can be rejected, and is not executed by a caller about to do so', async () => {
    const { userId, id } = await requestCredit();
    await leaveApproved(id, 11);
    const { status, json } = await decide(second, id, 'reject');
    expect([status, json.data?.data.status]).toEqual([200, 'REJECTED']);
    // The view of a caller who has read it before.
    await leaveApproved(id);
    expect((await decide(second, id, 'approve')).json.error.code).toBe('INVALID_STATE');
    expect(await availableOf(userId)).toBe('0.00');
  });

  it('can be rejected while payouts are paused, and otherwise resumes afterwards', async () => {
    const withdrawals = [];
    for (const _ of ['rejected', 'carried out']) {
      const { id } = await withdrawalIn(world, market, 'WITHDRAWAL_CREATED');
      withdrawals.push({
        id,
        approvalId: await requestApproval(requester, `/withdrawals/${id}/commit`),
      });
    }
    const [rejected, done] = withdrawals;
    await transact(world.app, market.call, (tx) => pausePayouts(tx, 'for a test'));
    for (const { approvalId } of withdrawals) {
      expect((await decide(second, approvalId, 'approve')).json.error.code).toBe('PAYOUTS_PAUSED');
      expect((await approvalOf(approvalId)).status).toBe('APPROVED');
    }
    const no = await decide(second, rejected?.approvalId ?? '', 'reject');
    expect(no.json.data?.data.status, no.text).toBe('REJECTED');
    await transact(world.app, market.call, (tx) => resumePayouts(tx, 'for a test', 'test'));
    const yes = await decide(second, done?.approvalId ?? '', 'approve');
    expect(yes.json.data?.data.status, yes.text).toBe('EXECUTED');
    const { json } = await market.send('GET', `/withdrawals/${rejected?.id}`);
    expect(json.data.data.status).toBe('WITHDRAWAL_CREATED');
  });
});

describe('an approved order', () => {
  const requestSettlement = async (move: 'release' | 'refund') => {
    const { id } = await escrowOrderIn(world, market, 'IN_PROGRESS');
    const path = `/orders/${id}/resolution/${move}`;
    return { id, approvalId: await requestApproval(supports[0], path, { reason: 'a test' }) };
  };

  it('is settled once though many approve it meanwhile, and never reported as failed', async () => {
    const { id, approvalId } = await requestSettlement('refund');
    const others = [supports[1], supports[2], supports[1], supports[2]];
    await Promise.all(others.map((by) => decide(by, approvalId, 'approve')));
    expect((await approvalOf(approvalId)).status).toBe('EXECUTED');
    expect((await market.send('GET', `/orders/${id}`)).json.data.data.closeReason).toBe('REFUNDED');
    const audited = await world.rows(
      `select action from audit where resource_id = $1 and action like 'APPROVAL_%' order by id`,
      [approvalId],
    );
    expect(audited.map(({ action }) => action)).toEqual([
      'APPROVAL_REQUESTED',
      'APPROVAL_APPROVED',
      'APPROVAL_EXECUTED',
    ]);
  });

  it('fails when the provider refuses its operation: a retry needs a new approval', async () => {
    const { id, approvalId } = await requestSettlement('release');
    await world.sandbox.arm('escrow', 'release', 'reject');
    const refused = await decide(supports[1], approvalId, 'approve');
    expect(refused.json.error.code).toBe('INTERNAL_ERROR');
    expect(await approvalOf(approvalId)).toMatchObject({
      status: 'FAILED',
      refusalCode: 'INTERNAL_ERROR',
    });
    const again = await requestApproval(supports[0], `/orders/${id}/resolution/release`, {});
    expect((await decide(supports[1], again, 'approve')).json.data?.data.status).toBe('EXECUTED');
  });
});
