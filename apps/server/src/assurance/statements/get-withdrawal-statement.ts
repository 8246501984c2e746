//! Gets the effect of a withdrawal on its user's balance: GET /withdrawals/{id}/statement.
import { refuse } from '@holdfast/contract/errors';
import type { WithdrawalState } from '@holdfast/contract/machines/withdrawal-machine';
import type { WithdrawalId } from '@holdfast/kernel/ids';
import { getWithdrawal } from '../../payments/withdrawals/read-withdrawals.ts';
import type { Call } from '../../platform/call.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import {
  areEqual,
  NOTHING,
  plus,
  type Statement,
  type StatementLine,
  type Sums,
} from './statement.ts';

export async function getWithdrawalStatement(
  app: Transactor,
  call: Call,
  id: WithdrawalId,
): Promise<Statement> {
  const withdrawal = await getWithdrawal(app, call, id);
  const lines = await read(app, call, (tx) => linesAbout(tx, withdrawal.userId, id));
  const closing = lines.at(-1)?.balance ?? NOTHING;
  const { status, currency, createdAt, amount } = withdrawal;
  if (!areEqual(closing, effectOf(status, amount.minor)))
    refuse('STATEMENT_UNBALANCED', { reason: `the lines do not match a ${status} withdrawal` });
  return {
    subjectType: 'Withdrawal',
    subjectId: id,
    currency,
    from: createdAt,
    to: app.clock.now() + 1,
    opening: NOTHING,
    closing,
    lines: oneByOne(lines),
  };
}

/** The expected total change of the balance. */
function effectOf(status: WithdrawalState, amount: bigint): Sums {
  switch (status) {
    case 'WITHDRAWAL_COMPLETED':
      return { available: -amount, reserved: 0n };
    case 'WITHDRAWAL_FAILED':
    case 'WITHDRAWAL_CANCELED':
      return NOTHING;
    default:
      return { available: -amount, reserved: amount };
  }
}

type LegRow = Row<'entry', 'id' | 'kind' | 'note' | 'created_at'> &
  Record<'available' | 'reserved', string>;

/** Reserved, then paid out or returned: the money leaves the user's account, or stays in it. */
async function linesAbout(tx: Tx, userId: string, id: WithdrawalId): Promise<StatementLine[]> {
  const rows = await tx.query<LegRow>(sql`
    select e.id, e.kind, e.note, e.created_at,
      case e.from_bucket when 'available' then -e.amount else 0 end
        + case when e.to_account = e.from_account and e.to_bucket = 'available' then e.amount else 0 end
        as available,
      case e.from_bucket when 'reserved' then -e.amount else 0 end
        + case when e.to_account = e.from_account and e.to_bucket = 'reserved' then e.amount else 0 end
        as reserved
    from entry e
    join account a on a.marketplace_id = e.marketplace_id and a.id = e.from_account
    where e.marketplace_id = ${tx.marketplace} and e.subject_id = ${id}
      and a.kind = 'user' and a.owner_id = ${userId}
    order by e.from_seq`);
  let balance = NOTHING;
  return rows.map((row) => {
    const change = { available: BigInt(row.available), reserved: BigInt(row.reserved) };
    balance = plus(balance, change);
    const { id: entryId, kind, note, created_at: at } = row;
    return { entryId, at, kind, subjectId: id, reference: null, note, change, balance };
  });
}

async function* oneByOne(lines: readonly StatementLine[]): AsyncIterable<StatementLine> {
  yield* lines;
}
