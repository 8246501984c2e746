//! The people of a story, each with a payment account, and with money where they need some.
import { newId } from '@holdfast/kernel/ids';
import type { Holdfast, User } from '@holdfast/sdk';
import type { Stage } from './stage.ts';

type Wings = Pick<Stage, 'holdfast' | 'people'>;

/** The same name is the same person, however often it is asked for. */
export function personNamed({ holdfast, people }: Wings, name: string): Promise<User> {
  const known = people.get(name) ?? makePerson(holdfast, name);
  people.set(name, known);
  return known;
}

async function makePerson(holdfast: Holdfast, name: string): Promise<User> {
  const email = `${name}@example.test`;
  const user = await holdfast.users.create({ externalUserId: name, email });
  if (user.paymentAccountUserId !== null) return user;
  return holdfast.users.linkPaymentAccount(user.id, {});
}

/** Somebody new: what a provider allows one person a minute is no limit to them. */
export function somebody(stage: Wings, name = 'guest'): Promise<User> {
  return personNamed(stage, `${name}-${newId('usr').slice(-8)}`);
}

/** Money by hand: development allows it without a limit. */
export async function give({ holdfast }: Wings, user: User, amount: string): Promise<void> {
  await holdfast.balances.credit(user.id, { amount, description: 'for a story' });
}
