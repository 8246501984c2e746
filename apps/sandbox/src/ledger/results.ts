//! Result codes in XDR and in Horizon's words, in two tables.
import { xdr } from '@stellar/stellar-sdk';

type Tr = xdr.OperationResultTr;
const of = xdr.OperationResultTr;
const inner = (tr: Tr) => xdr.OperationResult.opInner(tr);
const createAccount = (result: xdr.CreateAccountResult): Tr => of.createAccount(result);
const payment = (result: xdr.PaymentResult): Tr => of.payment(result);
const changeTrust = (result: xdr.ChangeTrustResult): Tr => of.changeTrust(result);
const accountMerge = (result: xdr.AccountMergeResult): Tr => of.accountMerge(result);
const manageData = (result: xdr.ManageDataResult): Tr => of.manageData(result);
const invoke = (result: xdr.InvokeHostFunctionResult): Tr => of.invokeHostFunction(result);
const begin = (result: xdr.BeginSponsoringFutureReservesResult): Tr =>
  of.beginSponsoringFutureReserves(result);
const end = (result: xdr.EndSponsoringFutureReservesResult): Tr =>
  of.endSponsoringFutureReserves(result);

// biome-ignore format: a table
const FAILURES = {
  opBadAuth: ['op_bad_auth', () => xdr.OperationResult.opBadAuth()],
  opNoAccount: ['op_no_source_account', () => xdr.OperationResult.opNoAccount()],
  opNotSupported: ['op_not_supported', () => xdr.OperationResult.opNotSupported()],
  opExceededWorkLimit: ['op_exceeded_work_limit', () => xdr.OperationResult.opExceededWorkLimit()],
  createAccountMalformed: ['op_malformed', () => inner(createAccount(xdr.CreateAccountResult.createAccountMalformed()))],
  createAccountUnderfunded: ['op_underfunded', () => inner(createAccount(xdr.CreateAccountResult.createAccountUnderfunded()))],
  createAccountLowReserve: ['op_low_reserve', () => inner(createAccount(xdr.CreateAccountResult.createAccountLowReserve()))],
  createAccountAlreadyExist: ['op_already_exists', () => inner(createAccount(xdr.CreateAccountResult.createAccountAlreadyExist()))],
  paymentMalformed: ['op_malformed', () => inner(payment(xdr.PaymentResult.paymentMalformed()))],
  paymentUnderfunded: ['op_underfunded', () => inner(payment(xdr.PaymentResult.paymentUnderfunded()))],
  paymentSrcNoTrust: ['op_src_no_trust', () => inner(payment(xdr.PaymentResult.paymentSrcNoTrust()))],
  paymentNoDestination: ['op_no_destination', () => inner(payment(xdr.PaymentResult.paymentNoDestination()))],
  paymentNoTrust: ['op_no_trust', () => inner(payment(xdr.PaymentResult.paymentNoTrust()))],
  paymentLineFull: ['op_line_full', () => inner(payment(xdr.PaymentResult.paymentLineFull()))],
  changeTrustMalformed: ['op_malformed', () => inner(changeTrust(xdr.ChangeTrustResult.changeTrustMalformed()))],
  changeTrustNoIssuer: ['op_no_issuer', () => inner(changeTrust(xdr.ChangeTrustResult.changeTrustNoIssuer()))],
  changeTrustInvalidLimit: ['op_invalid_limit', () => inner(changeTrust(xdr.ChangeTrustResult.changeTrustInvalidLimit()))],
  changeTrustLowReserve: ['op_low_reserve', () => inner(changeTrust(xdr.ChangeTrustResult.changeTrustLowReserve()))],
  accountMergeMalformed: ['op_malformed', () => inner(accountMerge(xdr.AccountMergeResult.accountMergeMalformed()))],
  accountMergeNoAccount: ['op_no_account', () => inner(accountMerge(xdr.AccountMergeResult.accountMergeNoAccount()))],
  accountMergeHasSubEntries: ['op_has_sub_entries', () => inner(accountMerge(xdr.AccountMergeResult.accountMergeHasSubEntries()))],
  accountMergeSeqnumTooFar: ['op_seq_num_too_far', () => inner(accountMerge(xdr.AccountMergeResult.accountMergeSeqnumTooFar()))],
  accountMergeIsSponsor: ['op_is_sponsor', () => inner(accountMerge(xdr.AccountMergeResult.accountMergeIsSponsor()))],
  manageDataInvalidName: ['op_data_invalid_name', () => inner(manageData(xdr.ManageDataResult.manageDataInvalidName()))],
  manageDataNameNotFound: ['op_data_name_not_found', () => inner(manageData(xdr.ManageDataResult.manageDataNameNotFound()))],
  manageDataLowReserve: ['op_low_reserve', () => inner(manageData(xdr.ManageDataResult.manageDataLowReserve()))],
  beginSponsoringMalformed: ['op_malformed', () => inner(begin(xdr.BeginSponsoringFutureReservesResult.beginSponsoringFutureReservesMalformed()))],
  beginSponsoringAlreadySponsored: ['op_already_sponsored', () => inner(begin(xdr.BeginSponsoringFutureReservesResult.beginSponsoringFutureReservesAlreadySponsored()))],
  beginSponsoringRecursive: ['op_recursive', () => inner(begin(xdr.BeginSponsoringFutureReservesResult.beginSponsoringFutureReservesRecursive()))],
  endSponsoringNotSponsored: ['op_not_sponsored', () => inner(end(xdr.EndSponsoringFutureReservesResult.endSponsoringFutureReservesNotSponsored()))],
  invokeTrapped: ['function_trapped', () => inner(invoke(xdr.InvokeHostFunctionResult.invokeHostFunctionTrapped()))],
} as const satisfies Record<string, readonly [string, () => xdr.OperationResult]>;

export type OperationCode = keyof typeof FAILURES;

/** One operation fails, and with it its transaction. */
export class OperationFailure extends Error {
  override readonly name = 'OperationFailure';
  readonly code: OperationCode;

  constructor(code: OperationCode, reason?: string) {
    super(reason ?? code);
    this.code = code;
  }
}

export interface OperationOutcome {
  /** As Horizon says it. */
  readonly code: string;
  readonly result: xdr.OperationResult;
}

export function failedOperation(code: OperationCode): OperationOutcome {
  const [text, build] = FAILURES[code];
  return { code: text, result: build() };
}

// biome-ignore format: a table
const SUCCESSES = {
  createAccount: () => createAccount(xdr.CreateAccountResult.createAccountSuccess()),
  payment: () => payment(xdr.PaymentResult.paymentSuccess()),
  changeTrust: () => changeTrust(xdr.ChangeTrustResult.changeTrustSuccess()),
  accountMerge: () => accountMerge(xdr.AccountMergeResult.accountMergeSuccess(0n)),
  manageData: () => manageData(xdr.ManageDataResult.manageDataSuccess()),
  beginSponsoringFutureReserves: () => begin(xdr.BeginSponsoringFutureReservesResult.beginSponsoringFutureReservesSuccess()),
  endSponsoringFutureReserves: () => end(xdr.EndSponsoringFutureReservesResult.endSponsoringFutureReservesSuccess()),
  invokeHostFunction: () => invoke(xdr.InvokeHostFunctionResult.invokeHostFunctionSuccess(Buffer.alloc(32))),
} as const satisfies Partial<Record<xdr.OperationBodyVariantName, () => xdr.OperationResultTr>>;

/** Operations that this ledger does. */
export type DoableOperation = keyof typeof SUCCESSES;

export function isDoable(type: string): type is DoableOperation {
  return Object.hasOwn(SUCCESSES, type);
}

export function doneOperation(done: DoableOperation | xdr.OperationResultTr): OperationOutcome {
  const tr = typeof done === 'string' ? SUCCESSES[done]() : done;
  return { code: 'op_success', result: inner(tr) };
}

// biome-ignore format: a table
const TRANSACTION_CODES = {
  txTooEarly: 'tx_too_early', txTooLate: 'tx_too_late', txMissingOperation: 'tx_missing_operation',
  txBadSeq: 'tx_bad_seq', txBadAuth: 'tx_bad_auth', txInsufficientBalance: 'tx_insufficient_balance',
  txNoAccount: 'tx_no_source_account', txInsufficientFee: 'tx_insufficient_fee',
  txBadAuthExtra: 'tx_bad_auth_extra', txNotSupported: 'tx_not_supported',
  txBadSponsorship: 'tx_bad_sponsorship', txBadMinSeqAgeOrGap: 'tx_bad_minseq_age_or_gap',
  txMalformed: 'tx_malformed', txSorobanInvalid: 'tx_soroban_invalid',
} as const;

export type TransactionCode = keyof typeof TRANSACTION_CODES;

/** The result of the transaction that carries the operations. */
export type Verdict =
  | { readonly code: 'txSuccess' | 'txFailed'; readonly operations: readonly OperationOutcome[] }
  | { readonly code: TransactionCode };

/** `extras.result_codes` of Horizon. */
export interface ResultCodes {
  readonly transaction: string;
  readonly inner_transaction?: string;
  readonly operations?: readonly string[];
}

function codeText(code: Verdict['code']): string {
  if (code === 'txSuccess') return 'tx_success';
  return code === 'txFailed' ? 'tx_failed' : TRANSACTION_CODES[code];
}

function operationsOf(verdict: Verdict): readonly OperationOutcome[] {
  return 'operations' in verdict ? verdict.operations : [];
}

export interface Result {
  readonly codes: ResultCodes;
  readonly xdr: string;
}

export function plainResult(verdict: Verdict, feeCharged: bigint): Result {
  const operations = operationsOf(verdict);
  const results = operations.map(({ result }) => result);
  const { code } = verdict;
  const isRun = code === 'txSuccess' || code === 'txFailed';
  const result = isRun
    ? xdr.TransactionResultResult[code](results)
    : xdr.TransactionResultResult[code]();
  return {
    codes: {
      transaction: codeText(code),
      ...(isRun && { operations: operations.map((each) => each.code) }),
    },
    xdr: resultText(result, feeCharged),
  };
}

/** The inner transaction ran, or was found invalid, inside a fee bump. */
export function bumpedResult(verdict: Verdict, innerHash: Buffer, feeCharged: bigint): Result {
  const operations = operationsOf(verdict);
  const results = operations.map(({ result }) => result);
  const { code } = verdict;
  const isRun = code === 'txSuccess' || code === 'txFailed';
  const result = isRun
    ? xdr.InnerTransactionResultResult[code](results)
    : xdr.InnerTransactionResultResult[code]();
  const pair = new xdr.InnerTransactionResultPair({
    transactionHash: new xdr.Hash(innerHash),
    result: new xdr.InnerTransactionResult({
      feeCharged: 0n,
      result,
      ext: xdr.InnerTransactionResultExt.v0(),
    }),
  });
  const outer = code === 'txSuccess' ? 'txFeeBumpInnerSuccess' : 'txFeeBumpInnerFailed';
  return {
    codes: {
      transaction: code === 'txSuccess' ? 'tx_fee_bump_inner_success' : 'tx_fee_bump_inner_failed',
      inner_transaction: codeText(code),
      ...(isRun && { operations: operations.map((each) => each.code) }),
    },
    xdr: resultText(xdr.TransactionResultResult[outer](pair), feeCharged),
  };
}

function resultText(result: xdr.TransactionResultResult, feeCharged: bigint): string {
  const ext = xdr.TransactionResultExt.v0();
  return new xdr.TransactionResult({ feeCharged, result, ext }).toXdr('base64');
}
