//! Finds what an operator is in a marketplace by now, for what they asked for earlier.
import type { OperatorRole } from '@holdfast/contract/roles';
import type { OperatorId } from '@holdfast/kernel/ids';
import type { RowNumber } from '../platform/database.ts';
import type { Transactor } from '../platform/transact.ts';

export interface FoundRole {
  readonly email: string;
  readonly name: string;
  readonly role: OperatorRole;
}

/** Undefined for one who is nothing there, or was disabled. */
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
