//! Applies a valid transaction: fee and sequence always, its operations all or none.
import { nativeToScVal, xdr } from '@stellar/stellar-sdk';
import type { Effect } from '../journal.ts';
import type { Change } from '../store.ts';
import { shortAmount } from './amount.ts';
import { type CallOutcome, callContract } from './calls.ts';
import { feeOf, type LedgerHead } from './checks.ts';
import { ContractError, type ContractHost } from './contract.ts';
import { addressOf, type Envelope, hex } from './envelope.ts';
import { type Network, sha256 } from './network.ts';
import { applyClassic, type OperationScope } from './operations.ts';
import { type Movement, participantsOf, type TransactionRecord } from './record.ts';
import {
  bumpedResult,
  doneOperation,
  failedOperation,
  isDoable,
  OperationFailure,
  type OperationOutcome,
  plainResult,
  type Verdict,
} from './results.ts';
import { Draft, type Reads } from './state.ts';

export interface ApplyContext {
  readonly network: Network;
  readonly hosts: readonly ContractHost[];
  readonly reads: Reads;
  readonly next: LedgerHead;
  /** A fault makes it fail: included, paid for, without effect. */
  readonly isRejected: boolean;
}

export interface Applied {
  readonly record: TransactionRecord;
  readonly changes: readonly Change[];
  readonly effects: readonly Effect[];
}

interface Run {
  readonly verdict: Verdict;
  readonly movements: readonly Movement[];
  readonly call: CallOutcome | undefined;
  readonly reason: string | undefined;
}

export function applyEnvelope(envelope: Envelope, context: ApplyContext): Applied {
  const { body } = envelope;
  const { next, network } = context;
  const base = new Draft(context.reads);
  const fee = feeOf(envelope);
  const payer = envelope.bump?.source ?? body.source;
  base.update(payer, { balance: (base.account(payer)?.balance ?? 0n) - fee });
  base.update(body.source, {
    sequence: body.tx.seqNum,
    sequenceLedger: next.number,
    sequenceTime: next.closeTime,
  });
  const run = context.isRejected ? rejectedRun(envelope) : runOperations(envelope, context, base);
  const isSuccessful = run.verdict.code === 'txSuccess';
  const effects = run.movements.flatMap((each) => effectsOf(each, envelope.hash, network));
  const own = run.call?.effects.map((effect) => ({ txHash: envelope.hash, ...effect })) ?? [];
  return {
    record: recordOf(envelope, next, run, fee),
    changes: [...base.changes(next.number), ...(run.call?.changes ?? [])],
    effects: isSuccessful ? [...effects, ...own] : [],
  };
}

function rejectedRun({ body, call }: Envelope): Run {
  const first = call === undefined ? 'opExceededWorkLimit' : 'invokeTrapped';
  const operations = body.tx.operations.map(({ body: { type } }, at) =>
    at === 0 || !isDoable(type) ? failedOperation(first) : doneOperation(type),
  );
  const verdict: Verdict = { code: 'txFailed', operations };
  return { verdict, movements: [], call: undefined, reason: 'refused by the sandbox' };
}

function runOperations(envelope: Envelope, context: ApplyContext, base: Draft): Run {
  const { body } = envelope;
  const sponsors = new Map<string, string>();
  const movements: Movement[] = [];
  const all = new Draft(base);
  let call: CallOutcome | undefined;
  let reason: string | undefined;
  const operations = body.tx.operations.map((operation, index): OperationOutcome => {
    const draft = new Draft(all);
    const source = operation.sourceAccount ? addressOf(operation.sourceAccount) : body.source;
    const { number: ledger, closeTime } = context.next;
    const scope = { draft, ledger, closeTime, sponsors, source, index, movements };
    try {
      if (draft.account(source) === undefined) throw new OperationFailure('opNoAccount');
      call = envelope.call && invoke(envelope, context, scope);
      const outcome = call === undefined ? applyClassic(scope, operation.body) : invoked(call);
      draft.mergeInto(all);
      return outcome;
    } catch (error) {
      if (!(error instanceof OperationFailure)) throw error;
      reason ??= error.message;
      return failedOperation(error.code);
    }
  });
  const verdict = verdictOf(operations, reason, sponsors);
  if (verdict.code !== 'txSuccess')
    return { verdict, movements: [], call: undefined, reason: reason ?? verdict.code };
  all.mergeInto(base);
  return { verdict, movements, call, reason: undefined };
}

function verdictOf(
  operations: readonly OperationOutcome[],
  reason: string | undefined,
  sponsors: ReadonlyMap<string, string>,
): Verdict {
  if (reason !== undefined) return { code: 'txFailed', operations };
  return sponsors.size > 0 ? { code: 'txBadSponsorship' } : { code: 'txSuccess', operations };
}

function invoke(envelope: Envelope, context: ApplyContext, scope: OperationScope): CallOutcome {
  const { call, hash } = envelope;
  if (call === undefined) throw new Error('the transaction calls no contract');
  const { source, index, draft, closeTime } = scope;
  const { network, hosts } = context;
  try {
    const outcome = callContract(
      { network, hosts, draft, closeTime, source, txHash: hash, isSimulation: false },
      call,
    );
    const parameters = [
      nativeToScVal(call.contractId, { type: 'address' }),
      xdr.ScVal.scvSymbol(call.functionName),
      ...call.args,
    ].map((value) => value.toXdr('base64'));
    const { transfers } = outcome;
    scope.movements.push({ type: 'invoke_host_function', index, source, parameters, transfers });
    return outcome;
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    throw new OperationFailure('invokeTrapped', error.message);
  }
}

function invoked({ returnValue }: CallOutcome): OperationOutcome {
  const success = xdr.InvokeHostFunctionResult.invokeHostFunctionSuccess(
    sha256(returnValue.toXdr()),
  );
  return doneOperation(xdr.OperationResultTr.invokeHostFunction(success));
}

function effectsOf(movement: Movement, txHash: string, { usdcKey }: Network): Effect[] {
  const effect = 'ledger.payment';
  if (movement.type === 'payment') {
    const { from, to, asset, stroops } = movement;
    const name = asset === 'native' ? 'XLM' : asset === usdcKey ? 'USDC' : asset;
    return [{ effect, txHash, from, to, asset: name, amount: shortAmount(stroops) }];
  }
  if (movement.type === 'create_account' && movement.stroops > 0n) {
    const { source: from, account: to, stroops } = movement;
    return [{ effect, txHash, from, to, asset: 'XLM', amount: shortAmount(stroops) }];
  }
  if (movement.type === 'account_merge' && movement.stroops > 0n) {
    const { source: from, into: to, stroops } = movement;
    return [{ effect, txHash, from, to, asset: 'XLM', amount: shortAmount(stroops) }];
  }
  return [];
}

function recordOf(
  envelope: Envelope,
  next: LedgerHead,
  { verdict, movements, call, reason }: Run,
  fee: bigint,
): TransactionRecord {
  const { body, bump, hash } = envelope;
  const result = bump ? bumpedResult(verdict, body.hash, fee) : plainResult(verdict, fee);
  const feeSource = bump?.source ?? body.source;
  const { timeBounds } = body;
  const sources = body.tx.operations.flatMap(({ sourceAccount }) =>
    sourceAccount === null ? [] : [addressOf(sourceAccount)],
  );
  return {
    hash,
    ledger: next.number,
    closeTime: next.closeTime,
    isSuccessful: verdict.code === 'txSuccess',
    source: body.source,
    feeSource,
    sequence: body.tx.seqNum,
    feeCharged: fee,
    maxFee: bump?.fee ?? BigInt(body.tx.fee),
    operationCount: body.tx.operations.length,
    memo: memoOf(body.tx.memo),
    signatures: signaturesOf(bump?.signatures ?? body.signatures),
    ...(bump && {
      innerHash: hex(body.hash),
      innerMaxFee: BigInt(body.tx.fee),
      innerSignatures: signaturesOf(body.signatures),
    }),
    ...(timeBounds && {
      timeBounds: { min: String(timeBounds.minTime), max: String(timeBounds.maxTime) },
    }),
    envelopeXdr: envelope.base64,
    resultXdr: result.xdr,
    codes: result.codes,
    movements,
    participants: [
      ...new Set([body.source, feeSource, ...sources, ...movements.flatMap(participantsOf)]),
    ],
    ...(envelope.call && {
      call: { contractId: envelope.call.contractId, functionName: envelope.call.functionName },
    }),
    ...(call && { returnValue: call.returnValue.toXdr('base64') }),
    events: (call?.events ?? []).map(({ contractId, topics, data }) => ({
      contractId,
      topics: topics.map((topic) => topic.toXdr('base64')),
      data: data.toXdr('base64'),
    })),
    ...(reason !== undefined && { reason }),
  };
}

function signaturesOf(signatures: readonly xdr.DecoratedSignature[]): string[] {
  return signatures.map(({ signature }) => Buffer.from(signature.value).toString('base64'));
}

function memoOf(memo: xdr.Memo): { type: string; value?: string } {
  switch (memo.type) {
    case 'memoNone':
      return { type: 'none' };
    case 'memoText':
      return { type: 'text', value: memo.text.toString() };
    case 'memoId':
      return { type: 'id', value: String(memo.id) };
    case 'memoHash':
    case 'memoReturn':
      return {
        type: memo.type === 'memoHash' ? 'hash' : 'return',
        value: Buffer.from(memo.value.value).toString('base64'),
      };
  }
}
