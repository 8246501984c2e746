//! The metadata of a transaction as XDR: the contract's return value and its events.
import { nativeToScVal, StrKey, xdr } from '@stellar/stellar-sdk';
import type { Network } from './network.ts';
import type { EventRecord, TransactionRecord } from './record.ts';

const EMPTY = {
  ext: xdr.ExtensionPoint.v0(),
  txChangesBefore: [],
  operations: [],
  txChangesAfter: [],
  sorobanMeta: null,
  events: [],
  diagnosticEvents: [],
};
const CLASSIC = xdr.TransactionMeta.v4(new xdr.TransactionMetaV4(EMPTY)).toXdr('base64');

/** Changes of entries are left out: clients do not need them to learn an outcome. */
export function metaXdr(
  record: TransactionRecord,
  network: Network,
  { hasReturnValue = true } = {},
): string {
  if (record.call === undefined || !record.isSuccessful) return CLASSIC;
  const { returnValue } = record;
  const value = returnValue && hasReturnValue ? xdr.ScVal.fromXdr(returnValue, 'base64') : null;
  const operation = new xdr.OperationMetaV2({
    ext: xdr.ExtensionPoint.v0(),
    changes: [],
    events: eventsOf(record, network).map(contractEvent),
  });
  const sorobanMeta = new xdr.SorobanTransactionMetaV2({
    ext: xdr.SorobanTransactionMetaExt.v0(),
    returnValue: value,
  });
  const meta = new xdr.TransactionMetaV4({ ...EMPTY, operations: [operation], sorobanMeta });
  return xdr.TransactionMeta.v4(meta).toXdr('base64');
}

/** The token's transfers as its events, then the contract's own events. */
export function eventsOf(record: TransactionRecord, network: Network): EventRecord[] {
  const transfers = record.movements.flatMap((movement) =>
    movement.type === 'invoke_host_function' ? movement.transfers : [],
  );
  const transferEvents = transfers.map(({ from, to, stroops }) => ({
    contractId: network.usdcContract,
    topics: [
      xdr.ScVal.scvSymbol('transfer'),
      nativeToScVal(from, { type: 'address' }),
      nativeToScVal(to, { type: 'address' }),
      xdr.ScVal.scvString(network.usdcKey),
    ].map((topic) => topic.toXdr('base64')),
    data: nativeToScVal(stroops, { type: 'i128' }).toXdr('base64'),
  }));
  return [...transferEvents, ...record.events];
}

export function contractEvent({ contractId, topics, data }: EventRecord): xdr.ContractEvent {
  const body = new xdr.ContractEventV0({
    topics: topics.map((topic) => xdr.ScVal.fromXdr(topic, 'base64')),
    data: xdr.ScVal.fromXdr(data, 'base64'),
  });
  return new xdr.ContractEvent({
    ext: xdr.ExtensionPoint.v0(),
    contractId: new xdr.ContractId(StrKey.decodeContract(contractId)),
    type: xdr.ContractEventType.contract,
    body: xdr.ContractEventBody.v0(body),
  });
}
