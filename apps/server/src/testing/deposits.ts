//! Users with an address of their own, and their spendable balances.
import { randomUUID } from 'node:crypto';
import type { UserId } from '@holdfast/kernel/ids';
import { createUser } from '../accounts/users/create-user.ts';
import type { EscrowWorld } from './escrows.ts';
import { addressOf } from './sandbox-world.ts';
import type { Market } from './world.ts';

export interface Holder {
  readonly id: UserId;
  readonly address: string;
}

export interface HolderOptions {
  readonly depositCurrency?: 'USD' | 'USDC';
}

export async function holderIn(
  world: EscrowWorld,
  { call }: Market,
  options: HolderOptions = {},
): Promise<Holder> {
  const externalUserId = randomUUID();
  const { user } = await createUser(world.app, call, { externalUserId, ...options });
  await world.runWorker();
  return { id: user.id, address: await addressOf(world, user.id) };
}

export async function availableOf(
  market: Market,
  { id }: Holder,
  currency = 'USD',
): Promise<string> {
  const { json } = await market.send('GET', `/users/${id}/balance?currency=${currency}`);
  return json.data.data.available as string;
}
