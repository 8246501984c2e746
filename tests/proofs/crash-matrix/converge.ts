//! Waits until nothing of a cell is in flight.
import { within } from '../../harness/wait.ts';
import type { Cell } from './cell.ts';
import type { Fixture, Surroundings } from './saga-row.ts';

const CONVERGED_MS_MAX = 60_000;
const POLL_INTERVAL_MS = 100;

/**
 * No operation of the subject, its escrow or its users is open, no address is due, and a job has
 * found what happened.
 */
export function converge(
  environment: Surroundings,
  cell: Pick<Cell, 'saga'>,
  fixture: Fixture,
): Promise<boolean> {
  const isAtRest = async () => (await movingText(environment, cell, fixture)) === '';
  return within(CONVERGED_MS_MAX, isAtRest, POLL_INTERVAL_MS);
}

export async function movingText(
  environment: Surroundings,
  { saga }: Pick<Cell, 'saga'>,
  fixture: Fixture,
): Promise<string> {
  const isOver = (await saga.job?.isOver(environment, fixture)) ?? true;
  const texts = [...(isOver ? [] : ['job']), ...(await openWork(environment, fixture))];
  return texts.join(', ');
}

async function openWork(
  { monitor }: Surroundings,
  { subjectId, userIds }: Fixture,
): Promise<string[]> {
  const { rows } = await monitor.query<{ kind: string; status: string; attempts: number }>(
    `select kind, status, attempts from open_operation join operation using (marketplace_id)
     where operation.id = open_operation.operation_id and open_operation.resource_id in
       (select $1 union all select unnest($2::text[])
        union all select escrow_id from orders where id = $1 and escrow_id is not null
        union all select id from topup where user_id = any ($2)
        union all select id from withdrawal where user_id = any ($2))
     union all select 'mirror', 'DUE', count(*)::int from mirror_queue
     where user_id = any ($2) having count(*) > 0
     union all select 'mirror', 'OPEN', count(*)::int from mirror_item
     where user_id = any ($2) and status = 'OPEN' having count(*) > 0`,
    [subjectId, userIds],
  );
  return rows.map(({ kind, status, attempts }) => `${kind} ${status} (${attempts})`);
}
