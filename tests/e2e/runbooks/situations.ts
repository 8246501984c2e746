//! The situation of each runbook, in the order in which they run.
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

export const SITUATIONS: Readonly<Record<string, Situation>> = {
  'open-outcomes': openOutcomes,
  'provider-down': providerDown,
  'webhook-secret': webhookSecret,
  'leaked-api-key': leakedApiKey,
  'stuck-order': stuckOrder,
  'stream-gap': streamGap,
  difference,
  'compromised-wallet': compromisedWallet,
  'compromised-dependency': compromisedDependency,
  'bad-release': badRelease,
  'broken-invariant': brokenInvariant,
  'restate-or-redis': restateOrRedis,
  flood,
  'audit-request': auditRequest,
  postgresql,
  restore,
};
