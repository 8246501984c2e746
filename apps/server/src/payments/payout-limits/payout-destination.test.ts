import { describe, expect, it } from 'vitest';
import { type Desk, desk, requestApproval } from '../../testing/operators.ts';
import { useOpened } from '../../testing/use-world.ts';
import {
  createdBy,
  type Payee,
  payeeWith,
  statusOf,
  usePayoutWorld,
} from '../../testing/withdrawals.ts';

const { world, market } = usePayoutWorld({
  HOLDFAST_DESTINATION_COOLING_HOURS: '24',
  HOLDFAST_USER_PAYOUT_LIMIT: '150.00',
});
const finance = () => useOpened(() => desk(world, { marketplaceId: market.id, role: 'finance' }));
const requester = finance();
const second = finance();

const created = (payee: Payee, amount = '100.00') => createdBy(world, market, payee, { amount });
const rich = () => payeeWith(world, market, { funds: '1000.00' });
const commit = (id: string) => market.send('POST', `/withdrawals/${id}/commit`);
const approve = (by: Desk, id: string) => by.send('POST', `/approvals/${id}/approve`, { body: {} });
const auditOf = async (id: string) =>
  (
    await world.rows<{ action: string }>('select action from audit where resource_id = $1', [id])
  ).map(({ action }) => action);

describe('two operators', () => {
  it('pay to a new destination, which is trusted for this user from then on', async () => {
    const payee = await rich();
    const id = await created(payee);
    const refused = await commit(id);
    expect([refused.status, refused.json.error.code]).toEqual([422, 'DESTINATION_COOLING']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
    const approval = await requestApproval(requester, `/withdrawals/${id}/commit`);
    expect(await statusOf(world, market, id)).toBe('WITHDRAWAL_CREATED');
    const alone = await approve(requester, approval);
    expect(alone.json.error.code).toBe('SECOND_APPROVER_REQUIRED');
    const approved = await approve(second, approval);
    expect([approved.status, approved.json.data.data.status]).toEqual([200, 'EXECUTED']);
    expect(await statusOf(world, market, id)).toBe('WITHDRAWAL_PENDING');
    expect(await auditOf(id)).toContain('DESTINATION_TRUSTED');
    // A key pays there now; what the two have confirmed does not count against its limit.
    expect((await commit(await created(payee, '150.00'))).status).toBe(200);
    expect((await commit(await created(payee, '1.00'))).json.error.code).toBe('LIMIT_REACHED');
  });

  it('pay above the limit of a user, and it stays as it is for keys', async () => {
    const payee = await rich();
    const first = await created(payee);
    await requestApproval(requester, `/withdrawals/${first}/commit`).then((approval) =>
      approve(second, approval),
    );
    const [within, above] = [await created(payee), await created(payee)];
    expect((await commit(within)).status).toBe(200);
    expect((await commit(above)).json.error.code).toBe('LIMIT_REACHED');
    const approval = await requestApproval(requester, `/withdrawals/${above}/commit`);
    expect((await approve(second, approval)).status).toBe(200);
    expect(await statusOf(world, market, above)).toBe('WITHDRAWAL_PENDING');
    // Known by now, so nothing was trusted a second time.
    expect(await auditOf(above)).not.toContain('DESTINATION_TRUSTED');
    expect((await commit(await created(payee))).json.error.code).toBe('LIMIT_REACHED');
  });
});

describe('one operator', () => {
  it('pays what the limits allow alone', async () => {
    const id = await created(await rich(), '50.00');
    const response = await requester.send('POST', `/withdrawals/${id}/commit`, { body: {} });
    expect([response.status, response.json.data.data.status]).toEqual([200, 'WITHDRAWAL_PENDING']);
  });

  it('requests one approval for what they refuse, and no refusal is recorded', async () => {
    const id = await created(await rich());
    const path = `/withdrawals/${id}/commit`;
    const [one, again] = [
      await requestApproval(requester, path),
      await requestApproval(requester, path),
    ];
    expect(again).toBe(one);
    expect(await auditOf(id)).toEqual(['WITHDRAWAL_CREATED']);
    expect(await auditOf(one)).toEqual(['APPROVAL_REQUESTED']);
  });
});
