//! The network has a payment of the treasury that Holdfast has no record of.
import { createPerson } from '../../../harness/people.ts';
import { depositUsdc } from '../../../harness/sandbox.ts';
import { type Situation, until } from '../situation.ts';

export const compromisedWallet: Situation = {
  start: async ({ set, post }) => {
    await createPerson(post, { credit: '20.00' });
    const mirrored = `select from envelope where purpose like 'mirror:%' and state = 'APPLIED'`;
    await until(async () => ((await set.monitor.query(mirrored)).rowCount ?? 0) > 0);
    const { rows } = await set.monitor.query<{ address: string }>(
      `select address from house_wallet where kind = 'treasury'`,
    );
    const address = String(rows[0]?.address);
    await depositUsdc(set.sandbox, address, '1');
    return { ADDRESS: address };
  },
};
