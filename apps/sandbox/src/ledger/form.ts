//! Checks an operation without the ledger: is it supported, and is it well formed?
import type { xdr } from '@stellar/stellar-sdk';
import { addressOf } from './envelope.ts';
import { assetKey, issuerOf, keyAddress } from './operations.ts';
import { isDoable, type OperationCode } from './results.ts';

export function formFault(body: xdr.OperationBody, source: string): OperationCode | undefined {
  if (!isDoable(body.type)) return 'opNotSupported';
  switch (body.type) {
    case 'createAccount':
      return createAccountFault(body.createAccountOp, source);
    case 'payment':
      return body.paymentOp.amount > 0n ? undefined : 'paymentMalformed';
    case 'changeTrust':
      return changeTrustFault(body.changeTrustOp, source);
    case 'accountMerge':
      return addressOf(body.destination) === source ? 'accountMergeMalformed' : undefined;
    case 'manageData':
      return String(body.manageDataOp.dataName) === '' ? 'manageDataInvalidName' : undefined;
    case 'beginSponsoringFutureReserves': {
      const { sponsoredId } = body.beginSponsoringFutureReservesOp;
      return keyAddress(sponsoredId) === source ? 'beginSponsoringMalformed' : undefined;
    }
    case 'invokeHostFunction': {
      const { type } = body.invokeHostFunctionOp.hostFunction;
      return type === 'hostFunctionTypeInvokeContract' ? undefined : 'opNotSupported';
    }
    default:
      return undefined;
  }
}

function createAccountFault(
  { destination, startingBalance }: xdr.CreateAccountOp,
  source: string,
): OperationCode | undefined {
  const isWrong = startingBalance < 0n || keyAddress(destination) === source;
  return isWrong ? 'createAccountMalformed' : undefined;
}

function changeTrustFault(
  { line, limit }: xdr.ChangeTrustOp,
  source: string,
): OperationCode | undefined {
  if (line.type === 'assetTypePoolShare') return 'opNotSupported';
  const isWrong = line.type === 'assetTypeNative' || limit < 0n;
  return isWrong || issuerOf(assetKey(line)) === source ? 'changeTrustMalformed' : undefined;
}
