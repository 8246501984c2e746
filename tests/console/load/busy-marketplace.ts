//! A marketplace with a hundred thousand orders behind it, and an operator who works there.
import { Holdfast } from '@holdfast/sdk';
import pg from 'pg';
import { writeHistory } from '../../../bench/console/history.ts';
import { poster } from '../../harness/api.ts';
import { makeMarketplace } from '../../harness/people.ts';
import { Operator } from '../operator.ts';
import type { Stage } from '../stage.ts';

const ORDERS = 100_000;

export interface BusyMarketplace {
  readonly operator: Operator;
  readonly holdfast: Holdfast;
}

const made = new WeakMap<Stage, Promise<BusyMarketplace>>();

/** Made once: it takes a minute. */
export function busyMarketplace(stage: Stage): Promise<BusyMarketplace> {
  const known = made.get(stage) ?? make(stage);
  made.set(stage, known);
  return known;
}

async function make(stage: Stage): Promise<BusyMarketplace> {
  const { api, masterKey } = stage.set.ready;
  const post = poster({ api, apiKey: masterKey });
  const marketplaceId = String((await post('/marketplaces', { name: 'Busy' }))['id']);
  await writePast(stage.set.databaseUrl, marketplaceId);
  const { key: apiKey } = await makeMarketplace(stage.set.ready, 'Busy shop', { marketplaceId });
  const who = { email: 'bea@holdfast.test', password: 'a long night at the busy shop' };
  const { totpSecret } = await post('/operators', {
    ...who,
    name: 'Bea Busy',
    isPlatformAdmin: false,
    memberships: [{ marketplaceId, role: 'admin' }],
  });
  const operator = await Operator.arrive(stage.browser, api, {
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
