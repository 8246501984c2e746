//! The vendor's own database: contracts as it last read them from the ledger.
//!
//! It knows transactions sent through the vendor, and those reported to it by hash. A deploy sent
//! directly to the ledger is in no list until a caller reports it.
import { scValToNative, xdr } from '@stellar/stellar-sdk';
import type { TransactionRecord } from '../ledger/record.ts';
import type { World } from '../world.ts';
import { FACTORY } from './contract-address.ts';
import { ESCROWS } from './contract-host.ts';
import type { IndexedEscrow } from './escrow.view.ts';
import type { DeployedEscrow } from './escrow-record.ts';

const INDEX = 'escrow-index';

export function findIndexed(world: World, contractId: string): IndexedEscrow | undefined {
  return world.store.get<IndexedEscrow>(INDEX, contractId);
}

export function listIndexed(world: World): IndexedEscrow[] {
  return world.store.all<IndexedEscrow>(INDEX);
}

/** As it is on the ledger now, whether the database knew or not. */
export function readFromLedger(world: World, contractId: string): IndexedEscrow | undefined {
  const record = world.store.get<DeployedEscrow>(ESCROWS, contractId);
  return record && { ...record, balance: world.ledger.usdcOf(contractId) };
}

export function refreshIndex(world: World, contractId: string): IndexedEscrow | undefined {
  const seen = readFromLedger(world, contractId);
  if (seen !== undefined) world.store.put(INDEX, contractId, seen);
  return seen;
}

/** The contract that a transaction made or changed. */
export function contractOf({ call, returnValue }: TransactionRecord): string | undefined {
  if (call?.contractId !== FACTORY) return call?.contractId;
  if (returnValue === undefined) return undefined;
  const [contractId] = scValToNative(xdr.ScVal.fromXdr(returnValue, 'base64')) as unknown[];
  return typeof contractId === 'string' ? contractId : undefined;
}
