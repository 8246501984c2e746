//! Addresses of the vendor's contracts: its factory, its code, its fee address, their children.
import { Address, Keypair, StrKey, xdr } from '@stellar/stellar-sdk';
import { sha256 } from '../ledger/network.ts';
import type { EscrowType } from './escrow-record.ts';

/** Deploys every escrow; its address and a salt make the address of the child. */
export const FACTORY = StrKey.encodeContract(sha256('Holdfast sandbox / escrow factory'));

/** Where the 0.3% goes. */
export const VENDOR = Keypair.fromRawEd25519Seed(sha256('Holdfast sandbox / escrow vendor'));

export const WASM_HASH: Readonly<Record<EscrowType, Buffer>> = {
  'single-release': sha256('Holdfast sandbox / single-release escrow code'),
  'multi-release': sha256('Holdfast sandbox / multi-release escrow code'),
};

export const DEPLOY_FUNCTION: Readonly<Record<EscrowType, string>> = {
  'single-release': 'tw_new_single_release_escrow',
  'multi-release': 'tw_new_multi_release_escrow',
};

/** All inputs stand in the deploy transaction, so the address is known before it is sent. */
export function deriveContractId(passphrase: string, factory: string, salt: Uint8Array): string {
  const preimage = xdr.HashIdPreimage.envelopeTypeContractId(
    new xdr.HashIdPreimageContractId({
      networkId: sha256(passphrase),
      contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAddress(
        new xdr.ContractIdPreimageFromAddress({
          address: new Address(factory).toScAddress(),
          salt,
        }),
      ),
    }),
  );
  return StrKey.encodeContract(sha256(preimage.toXdr()));
}
