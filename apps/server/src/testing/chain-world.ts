//! A test world with an audit chain to tamper with, and the owner's connection to do it.
import pg from 'pg';
import { NO_MARKETPLACE, systemCall } from '../platform/call.ts';
import { transact } from '../platform/database/transact.ts';
import { type Anchors, readAnchors } from '../record/audit/anchors.ts';
import { audit } from '../record/audit/audit-entry.ts';
import type { ChainFault } from '../record/audit/chain-fault.ts';
import { type Verdict, type VerifyOptions, verifyAudit } from '../record/audit/verify-audit.ts';
import { type Market, openWorld, type World } from './world.ts';

export interface ChainLink {
  readonly position: number;
  readonly id: string;
  readonly entryId: string | null;
}

export interface ChainWorld {
  readonly world: World;
  readonly market: Market;
  /** The market's row number. */
  readonly number: string;
  /** The market's chain when the world was created, from its first row on. */
  readonly links: readonly ChainLink[];
  /** The heads of all chains at that time. */
  readonly anchors: Anchors;
  rowAt(position: number): ChainLink;
  /** The first row with a journal entry: there are links before and after it. */
  credit(): ChainLink;
  /** Tampers as the owner of the database, verifies every chain, then rolls back. */
  verdicts(tamper: string, options?: VerifyOptions): Promise<Verdict[]>;
  /** The fault in the market's chain after that. */
  fault(tamper: string, options?: VerifyOptions): Promise<ChainFault | undefined>;
  close(): Promise<void>;
}

export async function openChainWorld(): Promise<ChainWorld> {
  const world = await openWorld();
  const client = new pg.Client(world.databaseUrl);
  await client.connect();
  const market = await world.market();
  await act(market);
  await (await world.market()).user();
  await actOnOperators(world);
  await world.sequence();
  const number = market.call.actor.marketplace;
  const links = await world.rows<ChainLink & pg.QueryResultRow>(
    `select l.position::int as position, a.id, a.entry_id as "entryId"
     from audit_link l join audit a on (a.marketplace_id, a.id) = (l.marketplace_id, l.audit_id)
     where l.marketplace_id = $1 order by 1`,
    [number],
  );
  const verdicts = (tamper: string, options?: VerifyOptions) =>
    verdictsOf(client, tamper, options ?? {});
  const find = (fits: (link: ChainLink) => boolean): ChainLink => {
    const link = links.find(fits);
    if (link === undefined) throw new Error('there is no such place');
    return link;
  };
  return {
    world,
    market,
    number,
    links,
    anchors: anchorsOf(await verdicts('')),
    rowAt: (position) => find((each) => each.position === position),
    credit: () => find(({ entryId }) => entryId !== null),
    verdicts,
    fault: async (tamper, options) => {
      const found = await verdicts(tamper, options);
      return found.find((each) => each.marketplaceId === market.id)?.fault ?? undefined;
    },
    close: async () => {
      await client.end();
      await world.close();
    },
  };
}

async function act(market: Market): Promise<void> {
  const user = await market.user();
  const note = { description: 'a gift', reference: 'invoice-1' };
  for (const [path, body] of [
    ['credit', { amount: '50.00', ...note }],
    ['reserve', { amount: '20.00' }],
    ['release', { amount: '5.00' }],
    ['debit', { amount: '1.00' }],
  ] as const)
    await market.send('POST', `/users/${user}/balance/${path}`, { body });
  await market.user();
}

/** Three rows outside all marketplaces: the chain of the platform. */
async function actOnOperators({ app }: World): Promise<void> {
  await transact(app, systemCall(NO_MARKETPLACE), async (tx) => {
    for (const action of ['OPERATOR_CREATED', 'OPERATOR_STATUS_SET', 'OPERATOR_RESET'] as const)
      await audit(tx, { action, resourceId: 'opr_1', after: { name: 'Ann' } });
  });
}

async function verdictsOf(
  client: pg.Client,
  tamper: string,
  options: VerifyOptions,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  await client.query('begin');
  try {
    await client.query(tamper);
    await verifyAudit(client, { ...options, onVerdict: (verdict) => verdicts.push(verdict) });
  } finally {
    await client.query('rollback');
  }
  return verdicts;
}

/** In the form that the command line prints. */
export function anchorsOf(verdicts: readonly Verdict[]): Anchors {
  return readAnchors(verdicts.map((verdict) => JSON.stringify(verdict)).join('\n'), 'noted');
}
