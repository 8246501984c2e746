//! Applies an event to the shop's own database, once, from the stream or from a webhook.
import type { HoldfastEvent } from '@holdfast/sdk';
import { type Database, inTransaction, run } from '../store/database.ts';
import { personOfUser, setAvailable, supportIds } from '../store/people.ts';
import { writeSetting } from '../store/settings.ts';
import { applyOrderEvent } from './apply-order-event.ts';
import { applyPaymentEvent } from './apply-payment-event.ts';

export const CURSOR = 'cursor';

/**
 * The effect, the note that it is done, and the cursor are one transaction: after a crash either
 * all of it has happened or none of it, and the event comes again. At least once becomes exactly
 * once. It must not wait for anything in between, which is why nothing here is async.
 *
 * Returns the people whose pages have changed.
 */
export function applyEvent(
  database: Database,
  event: HoldfastEvent,
  cursor?: string,
): readonly string[] {
  return inTransaction(database, () => {
    if (cursor !== undefined) writeSetting(database, CURSOR, cursor);
    const sql = 'insert or ignore into handled_event (event_id) values (?)';
    const isNew = run(database, sql, event.eventId) === 1;
    return isNew ? change(database, event) : [];
  });
}

/** A shop that shares its marketplace hears of users and orders that are not its own. */
function change(database: Database, event: HoldfastEvent): readonly string[] {
  switch (event.eventType) {
    case 'balance.credited':
    case 'balance.debited':
    case 'balance.reserved':
    case 'balance.released': {
      const { userId, currency, newAvailableBalance } = event.payload;
      if (currency !== 'USD') return [];
      // The balance after the change, and not the change: there is no sum to get wrong.
      setAvailable(database, userId, newAvailableBalance);
      const person = personOfUser(database, userId);
      return person ? [person.id] : [];
    }
    default: {
      const purchase = applyOrderEvent(database, event);
      if (purchase) return [purchase.buyer, purchase.seller, ...supportIds(database)];
      const person = applyPaymentEvent(database, event);
      return person === undefined ? [] : [person];
    }
  }
}
