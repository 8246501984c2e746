//! A marketplace with a hundred thousand orders, and an operator who works there.
import { Holdfast } from '@holdfast/sdk';
import pg from 'pg';
import { writeHistory } from '../../../../bench/console/history.ts';
import { poster } from '../../../harness/api.ts';
import { createMarketplace, leaveOnePlatformAdmin } from '../../../harness/people.ts';
import type { Environment } from '../environment.ts';
import { Operator } from '../operator.ts';

const ORDERS = 100_000;

export interface BusyMarketplace {
  readonly operator: Operator;
  readonly holdfast: Holdfast;
}

const marketplaces = new WeakMap<Environment, Promise<BusyMarketplace>>();

/** Created once, because it takes a minute. */
export function busyMarketplace(environment: Environment): Promise<BusyMarketplace> {
  const known = marketplaces.get(environment) ?? create(environment);
  marketplaces.set(environment, known);
  return known;
}

async function create(environment: Environment): Promise<BusyMarketplace> {
  const { api, masterKey } = environment.set.ready;
  const post = poster({ api, apiKey: masterKey });
  const marketplaceId = String((await post('/marketplaces', { name: 'Busy' }))['id']);
  await writePast(environment.set.databaseUrl, marketplaceId);
  const { key: apiKey } = await createMarketplace(environment.set.ready, 'Busy shop', {
    marketplaceId,
  });
  const who = { email: 'bea@holdfast.test', password: 'a long night at the busy shop' };
  const enableSecond = await leaveOnePlatformAdmin(environment.set.databaseUrl);
  const { totpSecret } = await post('/operators', {
    ...who,
    name: 'Bea Busy',
    isPlatformAdmin: false,
    memberships: [{ marketplaceId, role: 'admin' }],
  });
  await enableSecond();
  const operator = await Operator.arrive(environment.browser, api, {
    ...who,
    totpSecret: String(totpSecret),
    role: 'admin',
  });
  await operator.signIn();
  return { operator, holdfast: new Holdfast({ baseUrl: api, apiKey }) };
}

async function writePast(databaseUrl: string, marketplaceId: string): Promise<void> {
  const owner = new pg.Client(databaseUrl);
  await owner.connect();
  try {
    const { rows } = await owner.query<{ id: string }>(
      'select id::text from marketplace where public_id = $1',
      [marketplaceId],
    );
    await writeHistory(owner, rows[0]?.id ?? '', ORDERS);
  } finally {
    await owner.end();
  }
}
