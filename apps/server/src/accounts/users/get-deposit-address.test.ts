import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { openSandboxWorld } from '../../testing/sandbox-world.ts';
import { useOpened } from '../../testing/use-world.ts';
import { createUser } from './create-user.ts';
import { getDepositAddress } from './get-deposit-address.ts';

const world = useOpened(openSandboxWorld);

it("credits USDC to the user's own choice, and XLM to XLM", async () => {
  const market = await world.market();
  const { user } = await createUser(world.app, market.call, {
    externalUserId: randomUUID(),
    depositCurrency: 'USDC',
  });
  await world.runWorker();
  expect(await getDepositAddress(world.app, market.call, user.id)).toMatchObject({
    asset: 'USDC',
    currency: 'USDC',
  });
  expect(await getDepositAddress(world.app, market.call, user.id, 'XLM')).toMatchObject({
    asset: 'XLM',
    currency: 'XLM',
  });
});
