//! Finds an operator's current role in a marketplace, for a request that they made earlier.
import type { OperatorRole } from '@holdfast/contract/roles';
import type { OperatorId } from '@holdfast/kernel/ids';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Transactor } from '../../platform/database/transact.ts';

export interface FoundRole {
  readonly email: string;
  readonly name: string;
  readonly role: OperatorRole;
}

/** Undefined for an operator who has no role there, or is disabled. */
export async function findRole(
  { pool }: Pick<Transactor, 'pool'>,
  operatorId: OperatorId,
  marketplace: RowNumber,
): Promise<FoundRole | undefined> {
  const { rows } = await pool.query<FoundRole>({
    name: 'find-membership',
    text: 'select * from access.find_membership($1, $2)',
    values: [operatorId, marketplace],
  });
  return rows[0];
}
