//! Roles of operators in marketplaces: the only SQL that writes them.
import type { OperatorRole } from '@holdfast/contract/roles';
import { instantText } from '@holdfast/kernel/clock';
import type { MarketplaceId, OperatorId } from '@holdfast/kernel/ids';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export interface Membership {
  readonly marketplaceId: MarketplaceId;
  readonly role: OperatorRole;
}

/** A role that was given or taken, in a marketplace. */
export interface MembershipChange {
  readonly marketplace: RowNumber;
  readonly before: OperatorRole | null;
  readonly after: OperatorRole | null;
}

export interface ReplacedMemberships {
  readonly changes: readonly MembershipChange[];
  /** Marketplaces that do not exist. */
  readonly unknown: readonly MarketplaceId[];
}

/** Replaces all of them at once. */
export async function replaceMemberships(
  tx: Tx,
  id: OperatorId,
  wanted: readonly Membership[],
): Promise<ReplacedMemberships> {
  const [marketplaces, roles] = [wanted.map((m) => m.marketplaceId), wanted.map((m) => m.role)];
  const gone = await tx.query<MembershipRow>(sql`
    delete from operator_membership where operator_id = ${id} returning marketplace_id, role`);
  const inserted = await tx.query<MembershipRow & { public_id: MarketplaceId }>(sql`
    with made as (
      insert into operator_membership (marketplace_id, operator_id, role, created_at)
      select m.id, ${id}, wanted.role, ${instantText(tx.now)}::timestamptz
      from unnest(${marketplaces}::text[], ${roles}::text[]) as wanted (public_id, role)
      join marketplace m on m.public_id = wanted.public_id
      returning marketplace_id, role)
    select made.marketplace_id, made.role, m.public_id
    from made join marketplace m on m.id = made.marketplace_id`);
  const [before, after] = [roleByMarketplace(gone), roleByMarketplace(inserted)];
  const changes = [...new Set([...before.keys(), ...after.keys()])]
    .map((marketplace) => ({
      marketplace,
      before: before.get(marketplace) ?? null,
      after: after.get(marketplace) ?? null,
    }))
    .filter((change) => change.before !== change.after);
  const known = new Set(inserted.map((row) => row.public_id));
  return { changes, unknown: marketplaces.filter((each) => !known.has(each)) };
}

type MembershipRow = Row<'operator_membership', 'marketplace_id' | 'role'>;

function roleByMarketplace(rows: readonly MembershipRow[]): Map<RowNumber, OperatorRole> {
  return new Map(rows.map((row) => [row.marketplace_id, row.role]));
}
