//! Compares the balance of an order's contract with the order's escrow account. Pure.
import { stroopsText } from '../../providers/network/stroops.ts';
import { absolute, agreed, type Finding, found } from '../comparison/finding.ts';
import type { SolvencyGroup } from '../solvency/solvency-terms.ts';
import type { EscrowedMoney } from './network-rows.ts';

/** Null: the provider does not know the contract, which is fine until money is in it. */
export function compareContract(escrowed: EscrowedMoney, holds: bigint | null): Finding {
  const { orderId, contractId, booked, isMoving } = escrowed;
  const actual = holds ?? 0n;
  if (actual === booked) return agreed('matched', 'USDC', booked);
  if (isMoving) return agreed('inFlight', 'USDC', booked);
  return found({
    key: `contract:${contractId}`,
    cause: 'CONTRACT_DIFFERENCE',
    currency: 'USDC',
    stroops: actual - booked,
    clearing: null,
    resourceType: 'Order',
    resourceId: orderId,
    ours: { escrow: stroopsText(booked) },
    theirs: { contractId, holds: holds === null ? null : stroopsText(holds) },
    recordAt: null,
  });
}

export const TREASURY_KEYS = { USDC: 'treasury:USDC', XLM: 'treasury:XLM' } as const;

/** The network's side of the equation; undefined while transfers in transit may explain it. */
export function compareTreasury(group: SolvencyGroup): Finding | undefined {
  const { asset, assets, difference, atPaymentProvider, inFlight } = group;
  const rest = difference - atPaymentProvider;
  if (rest === 0n) return agreed('matched', asset, assets.treasury);
  if (absolute(rest) <= inFlight) return undefined;
  return found({
    key: TREASURY_KEYS[asset],
    cause: 'TREASURY_DIFFERENCE',
    currency: asset,
    stroops: rest,
    clearing: 'network_clearing',
    resourceType: null,
    resourceId: null,
    ours: { expected: stroopsText(assets.treasury - rest) },
    theirs: { holds: stroopsText(assets.treasury) },
    recordAt: null,
  });
}
