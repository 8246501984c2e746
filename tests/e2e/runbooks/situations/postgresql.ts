//! The primary is lost, and its synchronous standby has everything.
import type { Situation } from '../situation.ts';
import { passValidity } from './recovery.ts';

const SECONDS = 200;

export const postgresql: Situation = {
  start: async ({ set }) => {
    const { primary, standby } = set.replication;
    primary.kill();
    return { STANDBY: standby.adminUrl };
  },
  before: {
    Repair: async ({ set }) => set.address.moveTo(set.replication.standby.port),
    Check: (one) => passValidity(one, SECONDS),
  },
};
