//! The situation of each runbook.
import type { Situation } from './situation.ts';
import { auditRequest } from './situations/audit-request.ts';
import { badRelease } from './situations/bad-release.ts';
import { brokenInvariant } from './situations/broken-invariant.ts';
import { compromisedDependency } from './situations/compromised-dependency.ts';
import { compromisedWallet } from './situations/compromised-wallet.ts';
import { difference } from './situations/difference.ts';
import { flood } from './situations/flood.ts';
import { leakedApiKey } from './situations/leaked-api-key.ts';
import { openOutcomes } from './situations/open-outcomes.ts';
import { postgresql } from './situations/postgresql.ts';
import { providerDown } from './situations/provider-down.ts';
import { restateOrRedis } from './situations/restate-or-redis.ts';
import { restore } from './situations/restore.ts';
import { streamGap } from './situations/stream-gap.ts';
import { stuckOrder } from './situations/stuck-order.ts';
import { webhookSecret } from './situations/webhook-secret.ts';

type Situations = Readonly<Record<string, Situation>>;

/** Of one marketplace alone. */
export const SEPARATE: Situations = {
  'webhook-secret': webhookSecret,
  'leaked-api-key': leakedApiKey,
  'stuck-order': stuckOrder,
  'stream-gap': streamGap,
  flood,
  'audit-request': auditRequest,
};

/** Of the whole set, in this order: the last ones exchange its database. */
export const COMMON: Situations = {
  'open-outcomes': openOutcomes,
  'provider-down': providerDown,
  difference,
  'compromised-wallet': compromisedWallet,
  'compromised-dependency': compromisedDependency,
  'bad-release': badRelease,
  'broken-invariant': brokenInvariant,
  'restate-or-redis': restateOrRedis,
  postgresql,
  restore,
};
