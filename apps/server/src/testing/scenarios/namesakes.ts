//! Users who share an e-mail address, and the rows that a statement reads to find some of them.
import type { Query } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import type { Market, World } from '../world.ts';

/**
 * Users with this address among newer ones without, in this marketplace; and as many in another.
 */
export async function addNamesakes(world: World, market: Market, email: string): Promise<void> {
  const { call: other } = await world.market();
  for (const { marketplace } of [market.call.actor, other.actor])
    await world.rows(
      `insert into users (marketplace_id, id, external_user_id, email, type, status,
        deposit_currency, created_at, updated_at)
      select $1, 'usr_' || kind || lpad(n::text, 26, '0'), kind || n,
        case kind when '0' then $2 else n || $2 end, 'BOTH', 'ACTIVE', 'USD', now(), now()
      from generate_series(1, 1000) n, (values ('0'), ('z')) as kinds (kind)`,
      [marketplace, email],
    );
}

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** From tables, wanted or not. */
export async function rowsReadBy(tx: Tx, { text, values }: Query): Promise<number> {
  const [row] = await tx.query<{ plan: readonly [{ readonly Plan: PlanNode }] }>({
    name: '',
    text: `explain (analyze, format json) ${text}`,
    values,
  });
  return rowsReadIn(Object.values(row ?? {})[0]?.[0].Plan as PlanNode);
}

function rowsReadIn(node: PlanNode): number {
  const read = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  const own = node['Relation Name'] === undefined ? 0 : read * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, below) => sum + rowsReadIn(below), own);
}
