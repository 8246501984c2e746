//! A release is suspected. That rolling back works under load is what `npm run test:upgrade` shows.
import type { Situation } from '../situation.ts';

export const badRelease: Situation = { start: async () => ({}) };
