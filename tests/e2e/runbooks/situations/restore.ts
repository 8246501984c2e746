//! An older copy of the database's disk was put back: its mark is behind the one in Restate.
import { createUsers } from '../../../harness/people.ts';
import { type Situation, until } from '../situation.ts';
import { passValidity, readRecovery } from './recovery.ts';

const SECONDS_LOST = 100;
const SECONDS = 500;

export const restore: Situation = {
  start: async (one) => {
    const { monitor, replication } = one.set;
    await createUsers(one.post, 'confirmed', 1);
    await monitor.query('update lineage_mark set mark = mark - $1', [SECONDS_LOST]);
    const { standby } = replication;
    standby.kill();
    standby.start();
    await until(async () => (await readRecovery(one))['status'] === 'REWOUND');
    return {};
  },
  before: { Repair: (one) => passValidity(one, SECONDS) },
};
