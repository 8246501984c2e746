//! The last step of every build route: one contract call, simulated, then returned unsigned.
import type { xdr } from '@stellar/stellar-sdk';
import { ContractError } from '../ledger/contract.ts';
import type { World } from '../world.ts';
import { settingsOf } from './admission.ts';
import { ApiRefusal } from './api-refusal.ts';
import { VENDOR } from './contract-address.ts';
import { ESCROWS } from './contract-host.ts';
import type { DeployedEscrow, EscrowType } from './escrow-record.ts';
import { SENTENCES } from './sentences.ts';

export interface VendorCall {
  /** The role's wallet, which signs. */
  readonly source: string;
  readonly contractId: string;
  readonly functionName: string;
  readonly args: readonly xdr.ScVal[];
}

/** Builds are free of effects: the transaction is inert until it is signed and sent. */
export function buildUnsigned(world: World, call: VendorCall): string {
  const { ledger } = world;
  ensureVendor(world);
  if (ledger.account(call.source) === undefined)
    throw new ApiRefusal(400, `Account not found: ${call.source}`);
  try {
    ledger.simulate(call.source, { ...call, auth: [] });
  } catch (error) {
    if (error instanceof ContractError) throw new ApiRefusal(400, error.message);
    throw error;
  }
  const { validSeconds } = settingsOf(world);
  return ledger.buildCall({ ...call, ...(validSeconds !== undefined && { validSeconds }) });
}

/** Where the vendor's fee goes must be able to take it, also after the world was reset. */
export function ensureVendor(world: World): void {
  world.ledger.ensureAccount(VENDOR.publicKey(), { hasUsdc: true });
}

/** An unknown contract is the one broken rule for which the vendor returns 500. */
export function getEscrow(world: World, contractId: string): DeployedEscrow {
  const found = world.store.get<DeployedEscrow>(ESCROWS, contractId);
  if (found === undefined) throw new ApiRefusal(500, SENTENCES.notFound);
  return found;
}

export function getEscrowOf(world: World, type: EscrowType, contractId: string): DeployedEscrow {
  const found = getEscrow(world, contractId);
  if (found.escrow.type !== type)
    throw new ApiRefusal(
      400,
      'The provided contract address is not an instance of this escrow contract.',
    );
  return found;
}
