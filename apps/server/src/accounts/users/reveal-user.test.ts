import { randomUUID } from 'node:crypto';
import type { MarketplaceId, OperatorId, UserId } from '@holdfast/kernel/ids';
import { expect, it } from 'vitest';
import type { Call, OperatorActor } from '../../platform/call.ts';
import { isRefusal } from '../../testing/refusal.ts';
import { useOpenedEach } from '../../testing/use-world.ts';
import { openWorld } from '../../testing/world.ts';
import { getUser, listUsers } from './read-users.ts';
import { revealUser } from './reveal-user.ts';

const world = useOpenedEach(openWorld);
const market = useOpenedEach(() => world.market());

function operatorCall(): Call<OperatorActor> {
  const { marketplace } = market.call.actor;
  const actor: OperatorActor = {
    kind: 'operator',
    id: 'opr_0000000000000000000000000' as OperatorId,
    email: 'agent@example.com',
    name: 'Agent',
    role: 'support',
    marketplaceId: market.id as MarketplaceId,
    marketplace,
    reason: null,
    session: { id: '1', csrfToken: '', expiresAt: 0 },
  };
  return { actor, requestId: randomUUID(), idempotency: undefined };
}

async function ada(): Promise<UserId> {
  const body = { externalUserId: randomUUID(), email: 'Ada@Example.com' };
  return (await market.send('POST', '/users', { body })).json.data.data.id as UserId;
}

it('shows operators the requested data, and records who read it and why', async () => {
  const id = await ada();
  const call = operatorCall();
  const masked = { id, email: 'A•••@E•••.com' };
  expect(await getUser(world.app, call, id)).toMatchObject(masked);
  expect((await listUsers(world.app, call, { email: 'ada@example.com' })).items).toMatchObject([
    masked,
  ]);
  const reason = 'the bank requires the address';
  expect(await revealUser(world.app, call, id, { reason })).toMatchObject({
    email: 'Ada@Example.com',
  });
  const rows = await world.rows(
    `select actor_type, actor_id, reason from audit
     where resource_id = $1 and action = 'PERSONAL_DATA_REVEALED'`,
    [id],
  );
  expect(rows).toEqual([{ actor_type: 'OPERATOR', actor_id: call.actor.id, reason }]);
});

it('hides nothing from a key, and is refused to another marketplace', async () => {
  const id = await ada();
  expect(await getUser(world.app, market.call, id)).toMatchObject({ email: 'Ada@Example.com' });
  const otherMarket = await world.market();
  await expect(
    revealUser(world.app, otherMarket.call, id, { reason: 'curious' }),
  ).rejects.toSatisfy(isRefusal('USER_NOT_FOUND'));
});
