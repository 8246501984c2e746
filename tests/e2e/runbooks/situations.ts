//! The situation of each runbook, in the order in which they run.

import type { Situation } from './situation.ts';
import { leakedApiKey } from './situations/leaked-api-key.ts';
import { providerDown } from './situations/provider-down.ts';
import { stuckOrder } from './situations/stuck-order.ts';

export const SITUATIONS: Readonly<Record<string, Situation>> = {
  'provider-down': providerDown,
  'leaked-api-key': leakedApiKey,
  'stuck-order': stuckOrder,
};
