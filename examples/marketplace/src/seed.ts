//! The first start: creates the demo's users at Holdfast, and the items of the shop.
import { ITEMS, PEOPLE, WELCOME } from './catalogue.ts';
import { CURSOR } from './events/apply-event.ts';
import { readAnew } from './events/read-anew.ts';
import type { Shop } from './shop.ts';
import { saveItem } from './store/items.ts';
import { savePerson } from './store/people.ts';
import { readSetting, writeSetting } from './store/settings.ts';

/** Every call can be repeated, so a start that was cut off is simply done again. */
export async function seed(shop: Shop): Promise<void> {
  const { database } = shop;
  if (readSetting(database, CURSOR) !== undefined) return;
  // Events are followed from before the first read: what happens in between is not missed.
  const since = new Date().toISOString();
  for (const item of ITEMS) saveItem(database, item);
  for (const person of PEOPLE) {
    const email = `${person.id}@driftwood.example`;
    const userId = person.role === 'support' ? null : await createUser(shop, person, email);
    savePerson(database, { ...person, email, userId, available: '0.00' });
  }
  await readAnew(shop);
  writeSetting(database, CURSOR, since);
}

async function createUser(
  { holdfast }: Shop,
  { id, role }: (typeof PEOPLE)[number],
  email: string,
): Promise<string> {
  const user = await holdfast.users.create({
    externalUserId: `driftwood:${id}`,
    email,
    type: role === 'seller' ? 'SELLER' : 'BUYER',
  });
  // Escrows and withdrawals need to know the account at the payment provider.
  if (user.linkedAt === null) await holdfast.users.linkPaymentAccount(user.id);
  const amount = WELCOME[id];
  if (amount !== undefined) {
    // The reference is unique per user: a second start credits nothing.
    await holdfast.balances.credit(user.id, { amount, currency: 'USD', reference: 'welcome' });
  }
  return user.id;
}
