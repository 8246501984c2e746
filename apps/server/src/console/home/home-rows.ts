//! Current figures for the first page: open orders, outgoing money, replies of providers. Each
//! query reads a bounded number of rows.

import { HEALTH_PROVIDERS } from '@holdfast/contract/enums';
import { HOME_COUNTS_MAX } from '@holdfast/contract/limits';
import type { HomeView, ProviderHealthView } from '@holdfast/contract/records/insight-records';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import { idFloor } from '@holdfast/kernel/ids';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

const OPEN_ORDERS_MAX = HOME_COUNTS_MAX.openOrders;
const OPERATIONS_MAX = HOME_COUNTS_MAX.operations;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** One by one and by their key: a join would read all orders, of which most are closed. */
export async function countOpenOrders(tx: Tx): Promise<HomeView['openOrders']> {
  return tx.query<HomeView['openOrders'][number]>(sql`
    select o.status, count(*)::int as count
    from (select marketplace_id, order_id from open_order
      where marketplace_id = ${tx.marketplace} order by order_id desc limit ${OPEN_ORDERS_MAX}) w
    cross join lateral (select status from orders
      where marketplace_id = w.marketplace_id and id = w.order_id limit 1) o
    group by o.status order by o.status`);
}

export interface MoneyOnItsWay {
  readonly status: HomeView['withdrawalsInFlight'][number]['status'];
  readonly currency: Currency;
  readonly count: number;
  readonly amount: bigint;
  readonly oldestAt: Instant;
}

export async function sumOpenWithdrawals(tx: Tx): Promise<MoneyOnItsWay[]> {
  const rows = await tx.query<Omit<MoneyOnItsWay, 'amount'> & { amount: string }>(sql`
    select status, currency, count(*)::int as count, sum(amount)::text as amount,
      min(created_at) as "oldestAt"
    from withdrawal
    where status not in ('WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED')
      and marketplace_id = ${tx.marketplace}
    group by status, currency order by status, currency`);
  return rows.map((row) => ({ ...row, amount: BigInt(row.amount) }));
}

export async function countDisputes(tx: Tx, since: Instant): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from dispute
    where marketplace_id = ${tx.marketplace} and id >= ${idFloor('dsp', since)}`);
  return row?.count ?? 0;
}

interface OutcomeRow {
  provider: ProviderHealthView['provider'];
  outcome: 'done' | 'refused' | 'unknown';
  of_day: number;
  of_hour: number;
}

/** The start of the counted operations of the last day; null where all of them are counted. */
export async function findCountedSince(
  tx: Tx,
  most: number = OPERATIONS_MAX,
): Promise<Instant | null> {
  const [last] = await tx.query<{ created_at: Instant }>(sql`
    select created_at from operation
    where marketplace_id = ${tx.marketplace} and id >= ${idFloor('op', tx.now - DAY_MS)}
    order by id desc offset ${most - 1} limit 1`);
  return last?.created_at ?? null;
}

export async function countOutcomes(tx: Tx): Promise<ProviderHealthView[]> {
  const rows = await tx.query<OutcomeRow>(sql`
    with newest as (
      select marketplace_id, id, attempts from operation
      where marketplace_id = ${tx.marketplace} and id >= ${idFloor('op', tx.now - DAY_MS)}
      order by id desc limit ${OPERATIONS_MAX})
    select s.provider,
      case s.status when 'DONE' then 'done' when 'REFUSED' then 'refused' else 'unknown' end
        as outcome,
      count(*)::int as of_day,
      (count(*) filter (where coalesce(s.ended_at, s.started_at)
        >= ${instantText(tx.now - HOUR_MS)}))::int as of_hour
    from newest o
    join operation_step s on s.marketplace_id = o.marketplace_id and s.operation_id = o.id
    where s.provider is not null and (s.status <> 'CLAIMED' or o.attempts > 1)
    group by 1, 2`);
  const of = (provider: OutcomeRow['provider'], part: 'of_day' | 'of_hour') => {
    const count = (outcome: OutcomeRow['outcome']) =>
      rows.find((row) => row.provider === provider && row.outcome === outcome)?.[part] ?? 0;
    return { done: count('done'), refused: count('refused'), unknown: count('unknown') };
  };
  return HEALTH_PROVIDERS.map((provider) => ({
    provider,
    lastHour: of(provider, 'of_hour'),
    lastDay: of(provider, 'of_day'),
  }));
}
