//! Reads the provider's record of an order's contract, and accepts it only if it is that order's.
import type { ContractState, EscrowProvider } from '../../providers/escrow/escrow-provider.ts';
import { type Done, done, type Unknown, unknown } from '../../providers/outcome.ts';
import type { Order } from '../model/order.ts';
import { kindOf } from './escrow-steps.ts';

/** Why a fact cannot be confirmed. */
export type Unconfirmed = NotShown | Unknown;

/** The source was read and does not show the fact. A source without a reply leaves it unknown. */
export interface NotShown {
  readonly kind: 'nothing';
  readonly reason: string;
}

export const notShown = (reason: string): NotShown => ({ kind: 'nothing', reason });

export async function readOwnContract(
  { escrows }: { readonly escrows: EscrowProvider },
  { id, escrow }: Order,
  contractId: string,
): Promise<Done<ContractState> | Unconfirmed> {
  const found = await escrows.read(contractId);
  if (found.kind !== 'done') return unknown(found.reason);
  if (found.value === null) return notShown('The escrow provider does not know the contract yet.');
  const { engagementId, kind } = found.value;
  const isOurs = engagementId === id && escrow !== null && kind === kindOf(escrow);
  return isOurs ? done(found.value) : notShown('The contract does not belong to this order.');
}
