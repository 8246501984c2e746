//! The classic operations: accounts, trustlines, payments, sponsored reserves.
import { encodeMuxedAccountToAddress, StrKey, xdr } from '@stellar/stellar-sdk';
import { AMOUNT_MAX } from './amount.ts';
import { addressOf } from './envelope.ts';
import { BASE_RESERVE } from './network.ts';
import type { Movement } from './record.ts';
import { doneOperation, OperationFailure, type OperationOutcome } from './results.ts';
import { type Account, type Draft, spendableOf, subentriesOf } from './state.ts';

/** The context of one operation. */
export interface OperationScope {
  readonly draft: Draft;
  readonly ledger: number;
  readonly closeTime: number;
  /** The sponsor of each account, between the start and the end of sponsoring. */
  readonly sponsors: Map<string, string>;
  readonly source: string;
  readonly index: number;
  /** Movements of the transaction so far. */
  readonly movements: Movement[];
}

export function applyClassic(scope: OperationScope, body: xdr.OperationBody): OperationOutcome {
  switch (body.type) {
    case 'createAccount':
      return createAccount(scope, body.createAccountOp);
    case 'payment':
      return pay(scope, body.paymentOp);
    case 'changeTrust':
      return changeTrust(scope, body.changeTrustOp);
    case 'accountMerge':
      return mergeAccount(scope, body.destination);
    case 'manageData':
      return manageData(scope, body.manageDataOp);
    case 'beginSponsoringFutureReserves':
      return beginSponsoring(scope, body.beginSponsoringFutureReservesOp.sponsoredId);
    case 'endSponsoringFutureReserves':
      return endSponsoring(scope);
    default:
      throw new OperationFailure('opNotSupported', `${body.type} is not done here`);
  }
}

function createAccount(scope: OperationScope, operation: xdr.CreateAccountOp): OperationOutcome {
  const { draft, source } = scope;
  const { startingBalance } = operation;
  const address = keyAddress(operation.destination);
  if (draft.account(address) !== undefined) throw new OperationFailure('createAccountAlreadyExist');
  const sponsor = scope.sponsors.get(address);
  if (sponsor === undefined && startingBalance < 2n * BASE_RESERVE)
    throw new OperationFailure('createAccountLowReserve');
  if (sponsor !== undefined) sponsorReserves(draft, sponsor, 2, 'createAccountLowReserve');
  const payer = accountOf(draft, source);
  if (spendableOf(payer) < startingBalance) throw new OperationFailure('createAccountUnderfunded');
  draft.update(source, { balance: payer.balance - startingBalance });
  draft.put({
    address,
    sequence: BigInt(scope.ledger) << 32n,
    sequenceLedger: 0,
    sequenceTime: 0,
    balance: startingBalance,
    lines: {},
    numSponsoring: 0,
    numSponsored: sponsor === undefined ? 0 : 2,
    ...(sponsor !== undefined && { sponsor }),
    lastLedger: scope.ledger,
  });
  const { index, movements } = scope;
  movements.push({
    type: 'create_account',
    index,
    source,
    account: address,
    stroops: startingBalance,
  });
  return doneOperation('createAccount');
}

function pay(scope: OperationScope, operation: xdr.PaymentOp): OperationOutcome {
  const { draft, source, index } = scope;
  const { amount } = operation;
  const asset = assetKey(operation.asset);
  const to = addressOf(operation.destination);
  if (draft.account(to) === undefined) throw new OperationFailure('paymentNoDestination');
  if (asset === 'native') payNative(draft, source, to, amount);
  else payCredit(draft, source, to, asset, amount);
  scope.movements.push({
    type: 'payment',
    index,
    source,
    from: source,
    to,
    asset,
    stroops: amount,
    ...(operation.destination.type === 'keyTypeMuxedEd25519' && {
      toMuxed: encodeMuxedAccountToAddress(operation.destination),
      toMuxedId: String(operation.destination.med25519.id),
    }),
  });
  return doneOperation('payment');
}

function payNative(draft: Draft, from: string, to: string, amount: bigint): void {
  const payer = accountOf(draft, from);
  if (spendableOf(payer) < amount) throw new OperationFailure('paymentUnderfunded');
  draft.update(from, { balance: payer.balance - amount });
  draft.update(to, { balance: accountOf(draft, to).balance + amount });
}

/** Checks the receiver's side first, as the real ledger does. The issuer needs no trustline. */
export function payCredit(
  draft: Draft,
  from: string,
  to: string,
  asset: string,
  amount: bigint,
): void {
  const issuer = issuerOf(asset);
  if (to !== issuer) {
    const line = draft.account(to)?.lines[asset];
    if (line === undefined) throw new OperationFailure('paymentNoTrust');
    if (line.balance + amount > line.limit) throw new OperationFailure('paymentLineFull');
    addToLine(draft, to, asset, amount);
  }
  if (from === issuer) return;
  const line = draft.account(from)?.lines[asset];
  if (line === undefined) throw new OperationFailure('paymentSrcNoTrust');
  if (line.balance < amount) throw new OperationFailure('paymentUnderfunded');
  addToLine(draft, from, asset, -amount);
}

function addToLine(draft: Draft, address: string, asset: string, amount: bigint): void {
  const { lines } = accountOf(draft, address);
  const line = lines[asset];
  if (line === undefined) throw new Error(`${address} has no trustline for ${asset}`);
  const changed = { ...line, balance: line.balance + amount };
  draft.update(address, { lines: { ...lines, [asset]: changed } });
}

function changeTrust(scope: OperationScope, { line, limit }: xdr.ChangeTrustOp): OperationOutcome {
  const { draft, source } = scope;
  const asset = assetKey(line);
  const issuer = issuerOf(asset);
  const known = accountOf(draft, source).lines[asset];
  if (known === undefined && limit === 0n) throw new OperationFailure('changeTrustInvalidLimit');
  if (limit < (known?.balance ?? 0n)) throw new OperationFailure('changeTrustInvalidLimit');
  if (limit === 0n) dropLine(draft, source, asset);
  else if (draft.account(issuer) === undefined) throw new OperationFailure('changeTrustNoIssuer');
  else if (known === undefined)
    addLine(draft, source, asset, limit, scope.sponsors.get(source), 'changeTrustLowReserve');
  else
    draft.update(source, {
      lines: { ...accountOf(draft, source).lines, [asset]: { ...known, limit } },
    });
  return doneOperation('changeTrust');
}

/** Without a code for a low reserve, the reserve of the holder is not checked. */
export function addLine(
  draft: Draft,
  address: string,
  asset: string,
  limit: bigint = AMOUNT_MAX,
  sponsor?: string,
  lowReserve?: 'changeTrustLowReserve',
): void {
  if (sponsor !== undefined && lowReserve !== undefined)
    sponsorReserves(draft, sponsor, 1, lowReserve);
  const holder = accountOf(draft, address);
  const line = { balance: 0n, limit, ...(sponsor !== undefined && { sponsor }) };
  const changed = draft.update(address, {
    lines: { ...holder.lines, [asset]: line },
    numSponsored: holder.numSponsored + (sponsor === undefined ? 0 : 1),
  });
  if (sponsor === undefined && lowReserve !== undefined && spendableOf(changed) < 0n)
    throw new OperationFailure(lowReserve);
}

function dropLine(draft: Draft, address: string, asset: string): void {
  const holder = accountOf(draft, address);
  const { [asset]: dropped, ...lines } = holder.lines;
  if (dropped?.sponsor === undefined) {
    draft.update(address, { lines });
    return;
  }
  draft.update(address, { lines, numSponsored: holder.numSponsored - 1 });
  const sponsor = accountOf(draft, dropped.sponsor);
  draft.update(sponsor.address, { numSponsoring: sponsor.numSponsoring - 1 });
}

function sponsorReserves(
  draft: Draft,
  sponsor: string,
  count: number,
  lowReserve: 'createAccountLowReserve' | 'changeTrustLowReserve',
): void {
  const before = accountOf(draft, sponsor);
  const after = draft.update(sponsor, { numSponsoring: before.numSponsoring + count });
  if (spendableOf(after) < 0n) throw new OperationFailure(lowReserve);
}

function mergeAccount(scope: OperationScope, destination: xdr.MuxedAccount): OperationOutcome {
  const { draft, source, index, ledger } = scope;
  const into = addressOf(destination);
  const leaving = accountOf(draft, source);
  if (draft.account(into) === undefined) throw new OperationFailure('accountMergeNoAccount');
  if (leaving.numSponsoring > 0) throw new OperationFailure('accountMergeIsSponsor');
  if (subentriesOf(leaving) > 0) throw new OperationFailure('accountMergeHasSubEntries');
  // Else an account made again in the same ledger could replay old transactions.
  if (leaving.sequence >= BigInt(ledger) << 32n)
    throw new OperationFailure('accountMergeSeqnumTooFar');
  if (leaving.sponsor !== undefined) {
    const sponsor = accountOf(draft, leaving.sponsor);
    draft.update(sponsor.address, { numSponsoring: sponsor.numSponsoring - 2 });
  }
  draft.update(into, { balance: accountOf(draft, into).balance + leaving.balance });
  draft.remove(source);
  const { balance: stroops } = leaving;
  scope.movements.push({ type: 'account_merge', index, source, into, stroops });
  const result = xdr.AccountMergeResult.accountMergeSuccess(stroops);
  return doneOperation(xdr.OperationResultTr.accountMerge(result));
}

/** An entry of the account's own, such as `config.memo_required`; without a value it is dropped. */
function manageData(
  { draft, source }: OperationScope,
  { dataName, dataValue }: xdr.ManageDataOp,
): OperationOutcome {
  const name = String(dataName);
  const { [name]: known, ...others } = accountOf(draft, source).data ?? {};
  if (dataValue === null) {
    if (known === undefined) throw new OperationFailure('manageDataNameNotFound');
    draft.update(source, { data: others });
    return doneOperation('manageData');
  }
  const value = Buffer.from(dataValue.value).toString('base64');
  const changed = draft.update(source, { data: { ...others, [name]: value } });
  if (known === undefined && spendableOf(changed) < 0n)
    throw new OperationFailure('manageDataLowReserve');
  return doneOperation('manageData');
}

function beginSponsoring(scope: OperationScope, sponsoredId: xdr.PublicKey): OperationOutcome {
  const { sponsors, source } = scope;
  const sponsored = keyAddress(sponsoredId);
  if (sponsors.has(sponsored)) throw new OperationFailure('beginSponsoringAlreadySponsored');
  const isChain = sponsors.has(source) || [...sponsors.values()].includes(sponsored);
  if (isChain) throw new OperationFailure('beginSponsoringRecursive');
  sponsors.set(sponsored, source);
  return doneOperation('beginSponsoringFutureReserves');
}

function endSponsoring({ sponsors, source }: OperationScope): OperationOutcome {
  if (!sponsors.delete(source)) throw new OperationFailure('endSponsoringNotSponsored');
  return doneOperation('endSponsoringFutureReserves');
}

function accountOf(draft: Draft, address: string): Account {
  const account = draft.account(address);
  if (account === undefined) throw new OperationFailure('opNoAccount');
  return account;
}

export function issuerOf(asset: string): string {
  return asset.slice(asset.indexOf(':') + 1);
}

export function keyAddress(key: xdr.PublicKey): string {
  return StrKey.encodeEd25519PublicKey(key.value.value);
}

/** `native`, or CODE:ISSUER. */
export function assetKey(asset: xdr.Asset | xdr.ChangeTrustAsset | xdr.TrustLineAsset): string {
  if (asset.type === 'assetTypeCreditAlphanum4' || asset.type === 'assetTypeCreditAlphanum12') {
    const { assetCode, issuer } = asset.value;
    const code = Buffer.from(assetCode.value).toString('latin1').replace(/\0+$/, '');
    return `${code}:${keyAddress(issuer)}`;
  }
  return 'native';
}
