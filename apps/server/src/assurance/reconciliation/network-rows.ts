//! Lists our records that a run compares with the network: users' addresses, orders in escrow, and
//! contracts that were abandoned.
import type { EscrowId, OrderId, UserId } from '@holdfast/kernel/ids';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';

export interface UserAddress {
  readonly userId: UserId;
  readonly address: string;
}

export async function listAddresses(
  tx: Tx,
  after: string | null,
  count: number,
): Promise<UserAddress[]> {
  const rows = await tx.query<{ user_id: UserId; address: string }>(sql`
    select user_id, address from wallet
    where marketplace_id = ${tx.marketplace} and user_id > ${after ?? ''} and status = 'READY'
    order by user_id limit ${count}`);
  return rows.map(({ user_id: userId, address }) => ({ userId, address }));
}

/** An order whose contract should hold the booked amount. */
export interface EscrowedMoney {
  readonly orderId: OrderId;
  readonly contractId: string;
  readonly booked: bigint;
  /** Money is moving into or out of the contract. */
  readonly isMoving: boolean;
}

/** Orders that are not closed: a contract that has paid out holds no money of its parties. */
export async function listEscrowed(
  tx: Tx,
  after: string | null,
  count: number,
): Promise<{ readonly page: readonly EscrowedMoney[]; readonly next: string | null }> {
  const rows = await tx.query<{
    order_id: OrderId;
    contract_id: string | null;
    minor: string | null;
    is_moving: boolean;
  }>(sql`
    select w.order_id, e.provider_contract_id as contract_id, a.available + a.reserved as minor,
      o.status in ('RELEASE_REQUESTED', 'REFUND_REQUESTED') or e.status = 'FUNDING'
        or d.decision is not null as is_moving
    from open_order w
    join orders o on o.marketplace_id = w.marketplace_id and o.id = w.order_id
    left join escrow e on e.marketplace_id = o.marketplace_id and e.id = o.escrow_id
    left join dispute d on d.marketplace_id = o.marketplace_id and d.id = o.dispute_id
      and d.resolved_at is null
    left join account a on a.marketplace_id = w.marketplace_id and a.kind = 'escrow'
      and a.owner_id = w.order_id and a.currency = o.currency
    where w.marketplace_id = ${tx.marketplace} and w.order_id > ${after ?? ''}
    order by w.order_id limit ${count}`);
  const page = rows.flatMap((row): EscrowedMoney[] =>
    row.contract_id === null
      ? []
      : [
          {
            orderId: row.order_id,
            contractId: row.contract_id,
            booked: BigInt(row.minor ?? 0) * 100_000n,
            isMoving: row.is_moving ?? false,
          },
        ],
  );
  return { page, next: rows.length < count ? null : (rows.at(-1)?.order_id ?? null) };
}

/** Contracts that a refused funding left behind. They should hold nothing, for ever. */
export async function listAbandoned(
  tx: Tx,
  after: string | null,
  count: number,
): Promise<{ readonly page: readonly EscrowedMoney[]; readonly next: string | null }> {
  const rows = await tx.query<{ id: EscrowId; order_id: OrderId; contract_id: string }>(sql`
    select id, order_id, provider_contract_id as contract_id from escrow
    where marketplace_id = ${tx.marketplace} and status = 'ARCHIVED'
      and provider_contract_id is not null and id > ${after ?? ''}
    order by id limit ${count}`);
  const page = rows.map(({ order_id: orderId, contract_id: contractId }) => ({
    orderId,
    contractId,
    booked: 0n,
    isMoving: false,
  }));
  return { page, next: rows.length < count ? null : (rows.at(-1)?.id ?? null) };
}
