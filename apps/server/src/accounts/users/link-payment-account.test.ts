import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { isRefusal } from '../../testing/refusal.ts';
import { openSandboxWorld } from '../../testing/sandbox-world.ts';
import { useOpened } from '../../testing/use-world.ts';
import { createUser } from './create-user.ts';
import { linkPaymentAccount } from './link-payment-account.ts';

const world = useOpened(openSandboxWorld);

const newUser = async (email?: string) => {
  const market = await world.market();
  const { user } = await createUser(world.app, market.call, {
    externalUserId: randomUUID(),
    ...(email ? { email } : {}),
  });
  return { market, user };
};

it('links the account of the email, emits one event, and returns the same again', async () => {
  const { market, user } = await newUser('ada@example.test');
  const linked = await linkPaymentAccount(world.app, market.call, user.id, {});
  expect(linked.paymentAccountUserId).toMatch(/^[0-9a-f-]{36}$/);
  expect(await linkPaymentAccount(world.app, market.call, user.id, {})).toMatchObject({
    paymentAccountUserId: linked.paymentAccountUserId,
    linkedAt: linked.linkedAt,
  });
  expect(
    await world.rows(
      `select event_type from outbox where aggregate_id = $1 and event_type like '%payment%'`,
      [user.id],
    ),
  ).toHaveLength(1);
});

it('refuses an account that is missing, not active, or taken', async () => {
  for (const email of ['missing@example.test', 'inactive@example.test']) {
    const { market, user } = await newUser(email);
    await expect(linkPaymentAccount(world.app, market.call, user.id, {})).rejects.toSatisfy(
      isRefusal('PAYMENT_ACCOUNT_INVALID'),
    );
  }
  const { market, user } = await newUser('bo@example.test');
  await linkPaymentAccount(world.app, market.call, user.id, {});
  const other = await createUser(world.app, market.call, { externalUserId: randomUUID() });
  await expect(
    linkPaymentAccount(world.app, market.call, other.user.id, { email: 'bo@example.test' }),
  ).rejects.toSatisfy(isRefusal('PAYMENT_ACCOUNT_TAKEN'));
  await expect(linkPaymentAccount(world.app, market.call, other.user.id, {})).rejects.toSatisfy(
    isRefusal('PAYMENT_ACCOUNT_INVALID'),
  );
});
