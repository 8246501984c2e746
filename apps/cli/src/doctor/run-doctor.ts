//! Runs every check and says what is broken, and what cures it.
import type { Check, Finding } from './check.ts';
import { reasonOf, skipped } from './check.ts';
import { checkClock } from './check-clock.ts';
import { checkDatabase } from './check-database.ts';
import { checkEngine } from './check-engine.ts';
import { checkIsolation } from './check-isolation.ts';
import { checkProviders } from './check-providers.ts';
import { checkRedis } from './check-redis.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkServer } from './check-server.ts';
import { checkStream } from './check-stream.ts';
import { checkTrustlines } from './check-trustlines.ts';
import type { Surroundings } from './surroundings.ts';

const CHECKS: readonly Check[] = [
  checkServer,
  checkSecrets,
  checkDatabase,
  checkIsolation,
  checkRedis,
  checkEngine,
  checkClock,
  checkTrustlines,
  checkProviders,
  checkStream,
];

export type Found = Finding & { readonly name: string };

/** In order; what needs the server is not looked at when it is not there. */
export async function runDoctor(
  surroundings: Surroundings,
  onFound: (found: Found) => void = () => undefined,
): Promise<Found[]> {
  const all: Found[] = [];
  for (const check of CHECKS) {
    const isServerAway = all.some(({ name, status }) => name === 'server' && status === 'fault');
    const found =
      check.needsServer && isServerAway
        ? skipped('the server does not answer')
        : await check
            .look(surroundings)
            .catch((error: unknown) => skipped(`could not look: ${reasonOf(error)}`));
    const named = { name: check.name, ...found };
    all.push(named);
    onFound(named);
  }
  return all;
}
