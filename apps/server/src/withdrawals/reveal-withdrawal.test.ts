import { newId } from '@holdfast/kernel/ids';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { EscrowWorld } from '../testing/escrows.ts';
import { desk } from '../testing/operators.ts';
import { isRefusal } from '../testing/refusal.ts';
import { openPayoutWorld, payeeWith, wishOf } from '../testing/withdrawals.ts';
import type { Market } from '../testing/world.ts';
import { createWithdrawal } from './create-withdrawal.ts';
import { revealWithdrawal } from './reveal-withdrawal.ts';

let world: EscrowWorld;
let market: Market;
beforeAll(async () => {
  world = await openPayoutWorld();
  market = await world.market();
});
afterAll(() => world.close());

async function paying() {
  const payee = await payeeWith(world, market);
  const { id } = await createWithdrawal(world.app, market.call, wishOf(payee));
  return { id, email: payee.email };
}

const looksAt = (id: string) =>
  world.rows(
    `select actor_type, actor_id, resource_type, reason from audit
     where resource_id = $1 and action = 'PERSONAL_DATA_REVEALED'`,
    [id],
  );

it('shows operators whom it pays, and writes down who looked and why', async () => {
  const { id, email } = await paying();
  const support = await desk(world, { role: 'support', marketplaceId: market.id });
  const before = await support.send('GET', `/withdrawals/${id}`);
  expect(before.text).not.toContain(email);
  const reason = 'the payee asks where it is';
  const headers = { 'x-holdfast-reason': reason };
  const sending = { body: { reason }, headers };
  const { json } = await support.send('POST', `/withdrawals/${id}/reveal`, sending);
  expect(json.data.data).toMatchObject({ id, destination: { ref: email } });
  expect(await looksAt(id)).toEqual([
    { actor_type: 'OPERATOR', actor_id: support.id, resource_type: 'Withdrawal', reason },
  ]);
  // Once is not for ever.
  const after = await support.send('GET', `/withdrawals/${id}`);
  expect(after.text).not.toContain(email);
});

it('shows a viewer nothing, nor anybody who does not say why', async () => {
  const { id } = await paying();
  const viewer = await desk(world, { role: 'viewer', marketplaceId: market.id });
  const finance = await desk(world, { role: 'finance', marketplaceId: market.id });
  const answers = [
    await viewer.send('POST', `/withdrawals/${id}/reveal`, { body: { reason: 'curious' } }),
    await finance.send('POST', `/withdrawals/${id}/reveal`, { body: {} }),
    await finance.send('POST', `/withdrawals/${id}/reveal`, {
      body: { reason: ' ' },
      headers: { 'x-holdfast-reason': '' },
    }),
  ];
  expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual([
    [403, 'OPERATOR_ROLE_REQUIRED'],
    [400, 'VALIDATION_ERROR'],
    [400, 'REASON_REQUIRED'],
  ]);
  expect(await looksAt(id)).toEqual([]);
});

it('is nobody else’s to see, as one that nobody made', async () => {
  const { id } = await paying();
  const stranger = await world.market();
  for (const [{ call }, withdrawalId] of [
    [stranger, id],
    [market, newId('wd')],
  ] as const) {
    const refused = revealWithdrawal(world.app, call, withdrawalId, { reason: 'curious' });
    await expect(refused).rejects.toSatisfy(isRefusal('WITHDRAWAL_NOT_FOUND'));
  }
  expect(await looksAt(id)).toEqual([]);
});
