//! Reads from a transaction's result which contract it created. Loaded on demand: the library is
//! large, and the api process has no other need of it.
import { Address, xdr } from '@stellar/stellar-sdk/base';

/** The factory returns the contract's address, then the result of the contract's constructor. */
export function readCreatedContract(resultMetaXdr: string): string | null {
  const value = returnValueOf(xdr.TransactionMeta.fromXdr(resultMetaXdr, 'base64'));
  const first = value?.type === 'scvVec' ? value.vec?.[0] : value;
  if (first?.type !== 'scvAddress') return null;
  const id = Address.fromScVal(first).toString();
  return id.startsWith('C') ? id : null;
}

function returnValueOf(meta: xdr.TransactionMeta): xdr.ScVal | null {
  switch (meta.type) {
    case 'v3':
      return meta.v3.sorobanMeta?.returnValue ?? null;
    case 'v4':
      return meta.v4.sorobanMeta?.returnValue ?? null;
    default:
      return null;
  }
}
