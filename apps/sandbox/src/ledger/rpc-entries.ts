//! Ledger entries by their keys: accounts, trustlines, and the USDC of contracts.
import { Address, nativeToScVal, StrKey, xdr } from '@stellar/stellar-sdk';
import type { Ledger } from './ledger.ts';
import { assetKey, keyAddress } from './operations.ts';
import { subentriesOf } from './state.ts';

interface EntryView {
  readonly key: string;
  readonly xdr: string;
  readonly lastModifiedLedgerSeq: number;
  readonly liveUntilLedgerSeq?: number;
}

const AUTHORISED = 1;
const LIVE_LEDGERS = 500_000;

export function findEntry(ledger: Ledger, key: string): EntryView | undefined {
  const wanted = xdr.LedgerKey.fromXdr(key, 'base64');
  const head = ledger.head().number;
  const found = entryOf(ledger, wanted);
  if (found === undefined) return undefined;
  const isContract = wanted.type === 'contractData';
  return {
    key,
    xdr: found.entry.toXdr('base64'),
    lastModifiedLedgerSeq: found.ledger,
    ...(isContract && { liveUntilLedgerSeq: head + LIVE_LEDGERS }),
  };
}

interface Found {
  readonly entry: xdr.LedgerEntryData;
  readonly ledger: number;
}

function entryOf(ledger: Ledger, key: xdr.LedgerKey): Found | undefined {
  switch (key.type) {
    case 'account':
      return accountEntry(ledger, key.account.accountId);
    case 'trustline':
      return lineEntry(ledger, key.trustLine);
    case 'contractData':
      return tokenEntry(ledger, key.contractData);
    default:
      return undefined;
  }
}

function accountEntry(ledger: Ledger, accountId: xdr.PublicKey): Found | undefined {
  const account = ledger.account(keyAddress(accountId));
  if (account === undefined) return undefined;
  const v3 = new xdr.AccountEntryExtensionV3({
    ext: xdr.ExtensionPoint.v0(),
    seqLedger: account.sequenceLedger,
    seqTime: BigInt(account.sequenceTime),
  });
  const v2 = new xdr.AccountEntryExtensionV2({
    numSponsored: account.numSponsored,
    numSponsoring: account.numSponsoring,
    signerSponsoringIDs: [],
    ext: xdr.AccountEntryExtensionV2Ext.v3(v3),
  });
  const v1 = new xdr.AccountEntryExtensionV1({
    liabilities: new xdr.Liabilities({ buying: 0n, selling: 0n }),
    ext: xdr.AccountEntryExtensionV1Ext.v2(v2),
  });
  const entry = new xdr.AccountEntry({
    accountId,
    balance: account.balance,
    seqNum: account.sequence,
    numSubEntries: subentriesOf(account),
    inflationDest: null,
    flags: 0,
    homeDomain: '',
    thresholds: Buffer.from([1, 0, 0, 0]),
    signers: [],
    ext: xdr.AccountEntryExt.v1(v1),
  });
  return { entry: xdr.LedgerEntryData.account(entry), ledger: account.lastLedger };
}

function lineEntry(
  ledger: Ledger,
  { accountId, asset }: xdr.LedgerKeyTrustLine,
): Found | undefined {
  const account = ledger.account(keyAddress(accountId));
  const line = account?.lines[assetKey(asset)];
  if (account === undefined || line === undefined) return undefined;
  const entry = new xdr.TrustLineEntry({
    accountId,
    asset,
    balance: line.balance,
    limit: line.limit,
    flags: AUTHORISED,
    ext: xdr.TrustLineEntryExt.v0(),
  });
  return { entry: xdr.LedgerEntryData.trustline(entry), ledger: account.lastLedger };
}

/** The token keeps what a contract holds under ['Balance', contract]. */
function tokenEntry(
  ledger: Ledger,
  { contract, key, durability }: xdr.LedgerKeyContractData,
): Found | undefined {
  const isToken = Address.fromScAddress(contract).toString() === ledger.network.usdcContract;
  const parts = key.type === 'scvVec' ? (key.value ?? []) : [];
  const [name, holder] = parts;
  if (!isToken || name?.type !== 'scvSymbol' || holder?.type !== 'scvAddress') return undefined;
  const address = Address.fromScVal(holder).toString();
  if (name.value.toString() !== 'Balance' || !StrKey.isValidContract(address)) return undefined;
  const stroops = ledger.usdcOf(address);
  if (stroops === 0n) return undefined;
  const val = nativeToScVal(
    { amount: stroops, authorized: true, clawback: false },
    { type: { amount: ['symbol', 'i128'], authorized: ['symbol'], clawback: ['symbol'] } },
  );
  const ext = xdr.ExtensionPoint.v0();
  const entry = new xdr.ContractDataEntry({ ext, contract, key, durability, val });
  return { entry: xdr.LedgerEntryData.contractData(entry), ledger: ledger.head().number };
}
