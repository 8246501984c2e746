//! The primary is lost, and its synchronous standby has everything. The address of the database
//! moves to it as soon as it takes writes.
import { within } from '../../../harness/wait.ts';
import type { Case, Situation } from '../situation.ts';
import { passValidity } from './recovery.ts';

const SECONDS = 200;
const PROMOTED_MS_MAX = 200_000;

export const postgresql: Situation = {
  start: async (one) => {
    const { primary, standby } = one.set.replication;
    primary.kill();
    const moving = moveAddress(one);
    one.cleanup.defer(() => moving);
    return { STANDBY: standby.adminUrl };
  },
  before: { Check: (one) => passValidity(one, SECONDS) },
};

async function moveAddress({ set }: Case): Promise<void> {
  const { standby } = set.replication;
  const isPromoted = async () =>
    (await standby.query('select where not pg_is_in_recovery()')).length > 0;
  if (await within(PROMOTED_MS_MAX, isPromoted)) set.address.moveTo(standby.port);
}
