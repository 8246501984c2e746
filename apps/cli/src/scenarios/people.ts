//! The users of a scenario, each with a payment account, and with money where they need some.
import { systemClock } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import type { Holdfast, User } from '@holdfast/sdk';
import type { ScenarioContext } from './scenario.ts';

type PeopleContext = Pick<ScenarioContext, 'holdfast' | 'people'>;

/** The same name is the same user in every call. */
export function personNamed({ holdfast, people }: PeopleContext, name: string): Promise<User> {
  const known = people.get(name) ?? createPerson(holdfast, name);
  people.set(name, known);
  return known;
}

async function createPerson(holdfast: Holdfast, name: string): Promise<User> {
  const email = `${name}@example.test`;
  const user = await holdfast.users.create({ externalUserId: name, email });
  if (user.paymentAccountUserId !== null) return user;
  return holdfast.users.linkPaymentAccount(user.id, {});
}

/** A new user: a provider's limit per user and minute does not affect them. */
export function newPerson(context: PeopleContext, name = 'guest'): Promise<User> {
  return personNamed(context, `${name}-${newId('usr', systemClock.now()).slice(-8)}`);
}

/** Credits money manually: development has no limit for it. */
export async function give({ holdfast }: PeopleContext, user: User, amount: string): Promise<void> {
  await holdfast.balances.credit(user.id, { amount, description: 'for a scenario' });
}
