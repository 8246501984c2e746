//! The provider's record of an order's contract, which counts only where it is that order's.
import type { ContractState, EscrowProvider } from '../providers/escrow-provider.ts';
import { type Done, done, type Unknown, unknown } from '../providers/outcome.ts';
import { kindOf } from './escrow-steps.ts';
import type { Order } from './order.ts';

/** Why something can't be said to be so. */
export type Doubt = NotShown | Unknown;

/** Who could tell was asked, and does not show it. Who does not answer leaves it unknown. */
export interface NotShown {
  readonly kind: 'nothing';
  readonly reason: string;
}

export const nothing = (reason: string): NotShown => ({ kind: 'nothing', reason });

export async function readOwnContract(
  { escrows }: { readonly escrows: EscrowProvider },
  { id, escrow }: Order,
  contractId: string,
): Promise<Done<ContractState> | Doubt> {
  const found = await escrows.read(contractId);
  if (found.kind !== 'done') return unknown(found.reason);
  if (found.value === null) return nothing('the provider does not know the contract yet');
  const { engagementId, kind } = found.value;
  const isOurs = engagementId === id && escrow !== null && kind === kindOf(escrow);
  return isOurs ? done(found.value) : nothing('the contract is not of this order');
}
