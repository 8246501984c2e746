//! A person with the login of the database's owner has changed a balance; later the database is as
//! it was before.
import { createPerson } from '../../../harness/people.ts';
import type { Case, Situation } from '../situation.ts';

const CENTS = 500;

export const brokenInvariant: Situation = {
  start: async (one) => {
    await createPerson(one.post, { credit: '100.00' });
    await change(one, CENTS);
    return {};
  },
  before: { Check: (one) => change(one, -CENTS) },
};

async function change({ set, marketplace }: Case, cents: number): Promise<void> {
  await set.monitor.query(
    `update account set available = available + $1 where kind = 'user'
       and marketplace_id = (select id from marketplace where public_id = $2)`,
    [cents, marketplace.id],
  );
}
