//! The header of the latest ledger as XDR, for RPC clients: only its number and time are set.
import { xdr } from '@stellar/stellar-sdk';
import type { LedgerHead } from './checks.ts';
import { ledgerHash, type Network, PROTOCOL_VERSION } from './network.ts';

const NO_HASH = new xdr.Hash(Buffer.alloc(32));

export function headerXdr(head: LedgerHead, network: Network): xdr.LedgerHeader {
  return new xdr.LedgerHeader({
    ledgerVersion: PROTOCOL_VERSION,
    previousLedgerHash: new xdr.Hash(ledgerHash(network, head.number - 1)),
    scpValue: new xdr.StellarValue({
      txSetHash: NO_HASH,
      closeTime: BigInt(head.closeTime),
      upgrades: [],
      ext: xdr.StellarValueExt.stellarValueBasic(),
    }),
    txSetResultHash: NO_HASH,
    bucketListHash: NO_HASH,
    ledgerSeq: head.number,
    totalCoins: 500_000_000_000_000_000n,
    feePool: 0n,
    inflationSeq: 0,
    idPool: 0n,
    baseFee: 100,
    baseReserve: 5_000_000,
    maxTxSetSize: 100,
    skipList: [NO_HASH, NO_HASH, NO_HASH, NO_HASH],
    ext: xdr.LedgerHeaderExt.v0(),
  });
}

export function closeMetaXdr(head: LedgerHead, network: Network): xdr.LedgerCloseMeta {
  const header = headerXdr(head, network);
  const meta = new xdr.LedgerCloseMetaV0({
    ledgerHeader: new xdr.LedgerHeaderHistoryEntry({
      hash: new xdr.Hash(ledgerHash(network, head.number)),
      header,
      ext: xdr.LedgerHeaderHistoryEntryExt.v0(),
    }),
    txSet: new xdr.TransactionSet({ previousLedgerHash: header.previousLedgerHash, txs: [] }),
    txProcessing: [],
    upgradesProcessing: [],
    scpInfo: [],
  });
  return xdr.LedgerCloseMeta.v0(meta);
}
