//! Checks before inclusion. A transaction that fails here costs nothing and leaves no record.
import type { xdr } from '@stellar/stellar-sdk';
import { addressOf, type Body, type Envelope, type FeeBump } from './envelope.ts';
import { formFault } from './form.ts';
import { BASE_FEE } from './network.ts';
import {
  bumpedResult,
  doneOperation,
  failedOperation,
  isDoable,
  type OperationCode,
  plainResult,
  type Result,
  type TransactionCode,
  type Verdict,
} from './results.ts';
import { SignatureCheck } from './signatures.ts';
import { type Account, type Reads, spendableOf } from './state.ts';

/** The ledger that a transaction would be part of. */
export interface LedgerHead {
  readonly number: number;
  /** Seconds since 1970. */
  readonly closeTime: number;
}

/** The fee that its payer is charged: the base fee, however much was offered. */
export function feeOf({ body, bump }: Envelope): bigint {
  const count = BigInt(body.tx.operations.length + (bump === undefined ? 0 : 1));
  return count * BASE_FEE + resourceFeeOf(body);
}

function resourceFeeOf({ sorobanData }: Body): bigint {
  return sorobanData?.resourceFee ?? 0n;
}

/** The result for an envelope that is not included; undefined when it is. */
export function findFault(envelope: Envelope, reads: Reads, next: LedgerHead): Result | undefined {
  const { body, bump } = envelope;
  if (bump === undefined) {
    const verdict = checkBody(body, reads, next, feeOf(envelope));
    return verdict && plainResult(verdict, 0n);
  }
  const code = checkBump(body, bump, reads, feeOf(envelope));
  if (code !== undefined) return plainResult({ code }, 0n);
  const verdict = checkBody(body, reads, next, undefined);
  return verdict && bumpedResult(verdict, body.hash, 0n);
}

function checkBump(
  body: Body,
  bump: FeeBump,
  reads: Reads,
  due: bigint,
): TransactionCode | undefined {
  const count = BigInt(body.tx.operations.length);
  const offered = bump.fee - resourceFeeOf(body);
  const inner = BigInt(body.tx.fee) - resourceFeeOf(body);
  // Per operation at least what the inner transaction offers, so that a bump is never a cut.
  const isLow = bump.fee < due || offered * count < inner * (count + 1n);
  if (isLow) return 'txInsufficientFee';
  const payer = reads.account(bump.source);
  if (payer === undefined) return 'txNoAccount';
  const signatures = new SignatureCheck(bump.hash, bump.signatures);
  if (!signatures.isSignedBy(bump.source)) return 'txBadAuth';
  if (spendableOf(payer) < due) return 'txInsufficientBalance';
  return signatures.hasExtra ? 'txBadAuthExtra' : undefined;
}

/** Without a due fee another account has paid it. */
function checkBody(
  body: Body,
  reads: Reads,
  next: LedgerHead,
  due: bigint | undefined,
): Verdict | undefined {
  const early = checkForm(body) ?? checkTime(body, next);
  if (early !== undefined) return { code: early };
  if (due !== undefined && BigInt(body.tx.fee) < due) return { code: 'txInsufficientFee' };
  const source = reads.account(body.source);
  if (source === undefined) return { code: 'txNoAccount' };
  const late = checkSequence(body, source, next);
  if (late !== undefined) return { code: late };
  const signatures = new SignatureCheck(body.hash, body.signatures);
  if (!signatures.isSignedBy(body.source)) return { code: 'txBadAuth' };
  if (due !== undefined && spendableOf(source) < due) return { code: 'txInsufficientBalance' };
  const wrong = checkOperations(body, reads, signatures);
  if (wrong !== undefined) return wrong;
  return signatures.hasExtra ? { code: 'txBadAuthExtra' } : undefined;
}

function checkForm({ tx, sorobanData }: Body): TransactionCode | undefined {
  const { operations } = tx;
  if (operations.length === 0) return 'txMissingOperation';
  const calls = operations.filter(({ body }) => body.type === 'invokeHostFunction').length;
  if (calls > 0 && operations.length > 1) return 'txMalformed';
  if (calls > 0 !== (sorobanData !== undefined)) return 'txSorobanInvalid';
  if (sorobanData !== undefined && sorobanData.resourceFee > BigInt(tx.fee))
    return 'txSorobanInvalid';
  return undefined;
}

function checkTime({ tx, timeBounds }: Body, next: LedgerHead): TransactionCode | undefined {
  const now = BigInt(next.closeTime);
  const { cond } = tx;
  const ledgers = cond.type === 'precondV2' ? cond.v2.ledgerBounds : null;
  if (timeBounds !== null && timeBounds.minTime > now) return 'txTooEarly';
  if (timeBounds !== null && timeBounds.maxTime !== 0n && timeBounds.maxTime < now)
    return 'txTooLate';
  if (ledgers !== null && ledgers.minLedger > next.number) return 'txTooEarly';
  if (ledgers !== null && ledgers.maxLedger !== 0 && ledgers.maxLedger <= next.number)
    return 'txTooLate';
  return undefined;
}

function checkSequence(
  { tx }: Body,
  source: Account,
  next: LedgerHead,
): TransactionCode | undefined {
  const v2 = tx.cond.type === 'precondV2' ? tx.cond.v2 : undefined;
  const least = v2?.minSeqNum ?? tx.seqNum - 1n;
  if (source.sequence < least || source.sequence >= tx.seqNum) return 'txBadSeq';
  if (v2 === undefined) return undefined;
  const age = BigInt(next.closeTime - source.sequenceTime);
  const gap = next.number - source.sequenceLedger;
  return age < v2.minSeqAge || gap < v2.minSeqLedgerGap ? 'txBadMinSeqAgeOrGap' : undefined;
}

function checkOperations(
  body: Body,
  reads: Reads,
  signatures: SignatureCheck,
): Verdict | undefined {
  const { operations } = body.tx;
  for (const [at, operation] of operations.entries()) {
    const code = checkOperation(body, operation, reads, signatures);
    if (code === undefined) continue;
    const outcomes = operations.map(({ body: { type } }, index) =>
      index === at || !isDoable(type) ? failedOperation(code) : doneOperation(type),
    );
    return { code: 'txFailed', operations: outcomes };
  }
  return undefined;
}

function checkOperation(
  body: Body,
  operation: xdr.Operation,
  reads: Reads,
  signatures: SignatureCheck,
): OperationCode | undefined {
  const own = operation.sourceAccount;
  const source = own === null ? body.source : addressOf(own);
  // An account that an earlier operation creates does not exist yet; its key still counts.
  if (own === null && reads.account(source) === undefined) return 'opNoAccount';
  if (!signatures.isSignedBy(source)) return 'opBadAuth';
  return formFault(operation.body, source);
}
