import { newId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import { desk } from '../../testing/operators.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { inputOf, payeeWith, usePayoutWorld } from '../../testing/withdrawals.ts';
import { createWithdrawal } from './create-withdrawal.ts';
import { revealWithdrawal } from './reveal-withdrawal.ts';

const { world, market } = usePayoutWorld();

async function paying() {
  const payee = await payeeWith(world, market);
  const { id } = await createWithdrawal(world.app, market.call, inputOf(payee));
  return { id, email: payee.email };
}

const revealsOf = (id: string) =>
  world.rows(
    `select actor_type, actor_id, resource_type, reason from audit
     where resource_id = $1 and action = 'PERSONAL_DATA_REVEALED'`,
    [id],
  );

it('shows operators the recipient, and records who read it and why', async () => {
  const { id, email } = await paying();
  const support = await desk(world, { role: 'support', marketplaceId: market.id });
  const before = await support.send('GET', `/withdrawals/${id}`);
  expect(before.text).not.toContain(email);
  const reason = 'the payee is missing it';
  const headers = { 'x-holdfast-reason': reason };
  const sending = { body: { reason }, headers };
  const { json } = await support.send('POST', `/withdrawals/${id}/reveal`, sending);
  expect(json.data.data).toMatchObject({ id, destination: { ref: email } });
  expect(await revealsOf(id)).toEqual([
    { actor_type: 'OPERATOR', actor_id: support.id, resource_type: 'Withdrawal', reason },
  ]);
  // One reveal does not last.
  const after = await support.send('GET', `/withdrawals/${id}`);
  expect(after.text).not.toContain(email);
});

it('shows nothing to a viewer, nor to a caller who gives no reason', async () => {
  const { id } = await paying();
  const viewer = await desk(world, { role: 'viewer', marketplaceId: market.id });
  const finance = await desk(world, { role: 'finance', marketplaceId: market.id });
  const responses = [
    await viewer.send('POST', `/withdrawals/${id}/reveal`, { body: { reason: 'curious' } }),
    await finance.send('POST', `/withdrawals/${id}/reveal`, { body: {} }),
    await finance.send('POST', `/withdrawals/${id}/reveal`, {
      body: { reason: ' ' },
      headers: { 'x-holdfast-reason': '' },
    }),
  ];
  expect(responses.map(({ status, json }) => [status, json.error.code])).toEqual([
    [403, 'OPERATOR_ROLE_REQUIRED'],
    [400, 'VALIDATION_ERROR'],
    [400, 'REASON_REQUIRED'],
  ]);
  expect(await revealsOf(id)).toEqual([]);
});

it('refuses another marketplace, just like an unknown id', async () => {
  const { id } = await paying();
  const otherMarket = await world.market();
  for (const [{ call }, withdrawalId] of [
    [otherMarket, id],
    [market, newId('wd', Date.now())],
  ] as const) {
    const refused = revealWithdrawal(world.app, call, withdrawalId, { reason: 'curious' });
    await expect(refused).rejects.toSatisfy(isRefusal('WITHDRAWAL_NOT_FOUND'));
  }
  expect(await revealsOf(id)).toEqual([]);
});
