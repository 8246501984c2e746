//! Escrows: the only SQL that writes them. They are read with their order, unless archived.
import {
  type EscrowMove,
  type EscrowState,
  escrowMachine,
} from '@holdfast/contract/machines/escrow-machine';
import type { EscrowView } from '@holdfast/contract/records/order-records';
import { assert } from '@holdfast/kernel/assert';
import { type Instant, instantText } from '@holdfast/kernel/clock';
import type { Currency } from '@holdfast/kernel/currency';
import type { EscrowId, OrderId } from '@holdfast/kernel/ids';
import { Money } from '@holdfast/kernel/money';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { maybeTime, readTime } from './json-time.ts';

export type ContractType = EscrowView['contractType'];

/** The terms of a contract's deployment. They never change, even if the order or its users do. */
export interface EscrowDeployment {
  readonly id: EscrowId;
  readonly orderId: OrderId;
  readonly contractType: ContractType;
  readonly amount: Money;
  /** In hundredths of a percent. */
  readonly feeRate: bigint;
  readonly buyerAddress: string;
  readonly sellerAddress: string;
  readonly platformAddress: string;
  readonly resolverAddress: string;
}

export interface Escrow extends EscrowDeployment {
  readonly status: Exclude<EscrowState, 'ARCHIVED'>;
  readonly deployHash: string | null;
  readonly providerContractId: string | null;
  readonly createdAt: Instant;
  readonly fundedAt: Instant | null;
  readonly releasedAt: Instant | null;
  readonly refundedAt: Instant | null;
}

/** As `to_jsonb` writes a row, amounts as text. */
export interface EscrowJson {
  readonly id: EscrowId;
  readonly order_id: OrderId;
  readonly status: Escrow['status'];
  readonly contract_type: ContractType;
  readonly amount: string;
  readonly fee_basis_points: number;
  readonly buyer_address: string;
  readonly seller_address: string;
  readonly platform_address: string;
  readonly resolver_address: string;
  readonly deploy_hash: string | null;
  readonly provider_contract_id: string | null;
  readonly created_at: string;
  readonly funded_at: string | null;
  readonly released_at: string | null;
  readonly refunded_at: string | null;
}

export async function insertEscrow(tx: Tx, wanted: EscrowDeployment): Promise<void> {
  await tx.query(sql`
    insert into escrow (marketplace_id, id, order_id, status, contract_type, amount,
      fee_basis_points, buyer_address, seller_address, platform_address, resolver_address, created_at)
    values (${tx.marketplace}, ${wanted.id}, ${wanted.orderId}, ${escrowMachine.initial},
      ${wanted.contractType}, ${wanted.amount.minor}, ${wanted.feeRate}, ${wanted.buyerAddress},
      ${wanted.sellerAddress}, ${wanted.platformAddress}, ${wanted.resolverAddress},
      ${instantText(tx.now)})`);
}

/** The facts that become known when a contract is deployed. */
export interface Deployed {
  readonly deployHash?: string;
  readonly providerContractId?: string;
}

/**
 * The only statement that changes an escrow's status. A move that publishes a payment also dates
 * it. The caller has locked the order and checked the escrow.
 */
export async function moveEscrow(
  tx: Tx,
  escrow: Pick<Escrow, 'id'>,
  move: EscrowMove,
  { deployHash, providerContractId }: Deployed = {},
): Promise<void> {
  const { from, to, emits } = escrowMachine.moves[move];
  const now = instantText(tx.now);
  const dated = (event: (typeof emits)[number]) => (emits.includes(event) ? now : null);
  const moved = await tx.query<{ order_id: OrderId }>(sql`
    update escrow set status = ${to},
      deploy_hash = coalesce(${deployHash ?? null}, deploy_hash),
      provider_contract_id = coalesce(${providerContractId ?? null}, provider_contract_id),
      funded_at = coalesce(${dated('escrow.funded')}, funded_at),
      released_at = coalesce(${dated('escrow.released')}, released_at),
      refunded_at = coalesce(${dated('escrow.refunded')}, refunded_at),
      archived_at = ${to === 'ARCHIVED' ? now : null}
    where marketplace_id = ${tx.marketplace} and id = ${escrow.id} and status = any (${from})
    returning order_id`);
  assert(moved.length === 1, `an escrow that moves by ${move} was checked under its order's lock`);
  if (providerContractId !== undefined)
    await tx.query(sql`
      insert into contract (provider_contract_id, marketplace_id, escrow_id)
      values (${providerContractId}, ${tx.marketplace}, ${escrow.id})`);
  // The provider's fee is read from the network later.
  if (to === 'RELEASED' || to === 'REFUNDED')
    await tx.query(sql`
      insert into contract_fee (marketplace_id, escrow_id, order_id)
      values (${tx.marketplace}, ${escrow.id}, ${moved[0]?.order_id})`);
}

export function readEscrow(row: EscrowJson, currency: Currency): Escrow {
  return {
    id: row.id,
    orderId: row.order_id,
    status: row.status,
    contractType: row.contract_type,
    amount: Money.ofMinor(BigInt(row.amount), currency),
    feeRate: BigInt(row.fee_basis_points),
    buyerAddress: row.buyer_address,
    sellerAddress: row.seller_address,
    platformAddress: row.platform_address,
    resolverAddress: row.resolver_address,
    deployHash: row.deploy_hash,
    providerContractId: row.provider_contract_id,
    createdAt: readTime(row.created_at),
    fundedAt: maybeTime(row.funded_at),
    releasedAt: maybeTime(row.released_at),
    refundedAt: maybeTime(row.refunded_at),
  };
}
