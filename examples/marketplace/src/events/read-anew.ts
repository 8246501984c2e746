//! Updates the shop's copy by reading it from Holdfast, where missed events are no longer retained.
import type { Shop } from '../shop.ts';
import { listPeople, setAvailable } from '../store/people.ts';
import { purchasesOf, saveOrder } from '../store/purchases.ts';

/** Before the first event, and when the log no longer reaches back to where we were. */
export async function readAnew({ database, holdfast, live }: Shop): Promise<void> {
  const people = listPeople(database);
  for (const person of people) {
    if (person.userId === null) continue;
    const { available } = await holdfast.balances.get(person.userId, { currency: 'USD' });
    setAvailable(database, person.userId, available);
    for (const { id, buyer, orderId, status } of purchasesOf(database, person)) {
      if (buyer !== person.id || orderId === null || status === 'CLOSED') continue;
      saveOrder(database, id, await holdfast.orders.get(orderId));
    }
  }
  live.notify(people.map(({ id }) => id));
}
