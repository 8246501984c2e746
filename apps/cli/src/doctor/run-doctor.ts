//! Runs every check and prints each fault with its fix.
import type { Check, Finding } from './check.ts';
import { reasonOf, skipped } from './check.ts';
import { checkClock } from './check-clock.ts';
import { checkDatabase } from './check-database.ts';
import { checkEngine } from './check-engine.ts';
import { checkHost } from './check-host.ts';
import { checkIsolation } from './check-isolation.ts';
import { checkProviders } from './check-providers.ts';
import { checkRedis } from './check-redis.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkServer } from './check-server.ts';
import { checkStream } from './check-stream.ts';
import { checkTrustlines } from './check-trustlines.ts';
import type { Surroundings } from './surroundings.ts';

const CHECKS: readonly Check[] = [
  checkHost,
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

/** In order; checks that need the server are skipped when it is down. */
export async function runDoctor(
  surroundings: Surroundings,
  onFound: (found: Found) => void = () => undefined,
): Promise<Found[]> {
  const all: Found[] = [];
  for (const check of CHECKS) {
    const isServerAway = all.some(({ name, status }) => name === 'server' && status === 'fault');
    const found =
      check.needsServer && isServerAway
        ? skipped('the server does not respond')
        : await check
            .run(surroundings)
            .catch((error: unknown) => skipped(`could not be checked: ${reasonOf(error)}`));
    const named = { name: check.name, ...found };
    all.push(named);
    onFound(named);
  }
  return all;
}
