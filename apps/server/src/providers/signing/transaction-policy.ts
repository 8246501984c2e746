//! Checks a transaction against the intended one before it is signed. Pure functions.
//!
//! The transaction comes from a third party. It is decoded and compared in every part, and the
//! signature covers our own encoding of it. Worker only: the network's library is large.
import { createHash } from 'node:crypto';
import {
  Address,
  Asset,
  StrKey,
  type Transaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk/base';
import { bytesOf } from '../escrow/contract-value.ts';
import { type EscrowStep, signerOf } from '../escrow/escrow-provider.ts';
import {
  type ContractSettings,
  callDifference,
  type ExpectedCall,
  expectedCall,
} from '../escrow/expected-contract-call.ts';
import { type Done, done, type Refused, refused } from '../outcome.ts';

export interface TransactionLimits {
  /** For one step with everything, and for each operation of our own. */
  readonly maxFeeStroops: bigint;
  /** From now until the upper time bound. */
  readonly maxValiditySeconds: number;
}

export interface Expectation extends TransactionLimits, ContractSettings {
  readonly passphrase: string;
  readonly usdcIssuer: string;
  readonly step: EscrowStep;
  /** Ledger close time, in seconds. */
  readonly now: number;
}

export interface DecodedTransaction {
  readonly transaction: Transaction;
  readonly hash: string;
  readonly source: string;
  readonly sequence: bigint;
  readonly maxTime: number;
  readonly feeStroops: bigint;
  /** What a fee bump has to pay on top of its own base fee. */
  readonly resourceFeeStroops: bigint;
}

/** Checks that the transaction is exactly the step. */
export function checkTransaction(
  unsignedXdr: string,
  expectation: Expectation,
): Done<DecodedTransaction> | Refused {
  const { passphrase, step, usdcIssuer } = expectation;
  const envelope = decode(unsignedXdr);
  if (envelope === undefined)
    return refused('malformed', 'the transaction is not a plain transaction envelope');
  const { tx, signatures } = envelope;
  if (signatures.length > 0) return refused('signed', 'the transaction is already signed');
  const breach =
    checkFrame(tx, signerOf(step), expectation) ??
    checkCall(tx, step, {
      ...expectation,
      usdcContract: new Asset('USDC', usdcIssuer).contractId(passphrase),
    });
  return breach ?? done(describe(envelope, passphrase));
}

/**
 * A plain envelope of the current kind; undefined unless it encodes to the same bytes again.
 */
function decode(text: string): xdr.TransactionV1Envelope | undefined {
  try {
    const envelope = xdr.TransactionEnvelope.fromXdr(text, 'base64');
    const isCanonical = envelope.toXdr('base64') === text;
    return isCanonical && envelope.type === 'envelopeTypeTx' ? envelope.v1 : undefined;
  } catch {
    return undefined;
  }
}

/** Everything around the operations. */
function checkFrame(
  tx: xdr.Transaction,
  source: string,
  { now, maxFeeStroops, maxValiditySeconds }: TransactionLimits & { readonly now: number },
): Refused | undefined {
  if (plainAddress(tx.sourceAccount) !== source) {
    return refused('wrong-source', `the source of the transaction is not ${source}`);
  }
  if (tx.memo.type !== 'memoNone') return refused('memo', 'the transaction has a memo');
  if (BigInt(tx.fee) > maxFeeStroops) return refused('fee', `the fee of ${tx.fee} is too high`);
  // Other preconditions could delay it, or let it skip its place in the sequence.
  if (tx.cond.type !== 'precondTime')
    return refused('time-bound', 'the transaction has no simple time bounds');
  const { minTime, maxTime } = tx.cond.timeBounds;
  if (maxTime === 0n) return refused('time-bound', 'the transaction has no upper time bound');
  if (maxTime > BigInt(now + maxValiditySeconds)) {
    return refused('time-bound', `the transaction stays valid too long, until ${maxTime}`);
  }
  if (maxTime <= BigInt(now))
    return refused('expired', 'the time bound of the transaction has passed');
  if (minTime > BigInt(now)) return refused('time-bound', 'the transaction is not valid yet');
  return undefined;
}

function checkCall(
  tx: xdr.Transaction,
  step: EscrowStep,
  context: Expectation & { readonly usdcContract: string },
): Refused | undefined {
  const [operation, ...others] = tx.operations;
  if (operation === undefined || others.length > 0) {
    return refused('operations', `the transaction has ${tx.operations.length} operations, not one`);
  }
  const { sourceAccount, body } = operation;
  if (sourceAccount !== null && plainAddress(sourceAccount) !== signerOf(step)) {
    return refused('wrong-source', 'the operation acts for another account');
  }
  const invocation = invocationOf(body);
  if (invocation === undefined)
    return refused('operations', 'the transaction does not call a contract');
  if (tx.ext.type !== 'sorobanData' || tx.ext.sorobanData.resourceFee > BigInt(tx.fee)) {
    return refused('fee', 'the fee does not cover the resources of the transaction');
  }
  const expected = expectedCall(step, context);
  const difference = callDifference(expected, invocation.args);
  if (difference !== undefined) return refused('wrong-call', difference);
  return checkAuthorisations(invocation.auth, invocation.args, expected);
}

interface Invocation {
  readonly args: xdr.InvokeContractArgs;
  readonly auth: readonly xdr.SorobanAuthorizationEntry[];
}

export function invocationOf(body: xdr.OperationBody): Invocation | undefined {
  if (body.type !== 'invokeHostFunction') return undefined;
  const { hostFunction, auth } = body.invokeHostFunctionOp;
  if (hostFunction.type !== 'hostFunctionTypeInvokeContract') return undefined;
  return { args: hostFunction.invokeContract, auth };
}

/** The signature authorises this one call, and below it only its own payment. */
function checkAuthorisations(
  auth: readonly xdr.SorobanAuthorizationEntry[],
  args: xdr.InvokeContractArgs,
  { mayReach }: ExpectedCall,
): Refused | undefined {
  if (auth.length > 1)
    return refused('authorisation', 'the transaction requests more than one authorisation');
  for (const { credentials, rootInvocation } of auth) {
    if (credentials.type !== 'sorobanCredentialsSourceAccount') {
      return refused('authorisation', `the transaction requests ${credentials.type}`);
    }
    const { function: root, subInvocations } = rootInvocation;
    const isSame =
      root.type === 'sorobanAuthorizedFunctionTypeContractFn' && root.contractFn.equals(args);
    if (!isSame) return refused('authorisation', 'the transaction authorises another call');
    if (!subInvocations.every((below) => isReachable(below, mayReach))) {
      return refused('authorisation', 'the transaction authorises more than this call');
    }
  }
  return undefined;
}

function isReachable(
  { function: below, subInvocations }: xdr.SorobanAuthorizedInvocation,
  mayReach: readonly ExpectedCall[],
): boolean {
  if (below.type !== 'sorobanAuthorizedFunctionTypeContractFn') return false;
  const { contractFn } = below;
  return (
    subInvocations.length === 0 &&
    mayReach.some((expected) => callDifference(expected, contractFn) === undefined)
  );
}

/** Undefined for a muxed address: the provider must not choose the account behind it. */
function plainAddress(account: xdr.MuxedAccount): string | undefined {
  return account.type === 'keyTypeEd25519'
    ? StrKey.encodeEd25519PublicKey(account.ed25519.toBytes())
    : undefined;
}

/** The operations that we build ourselves: payments and the creation of accounts. */
const OWN_OPERATIONS: ReadonlySet<string> = new Set([
  'payment',
  'createAccount',
  'changeTrust',
  'beginSponsoringFutureReserves',
  'endSponsoringFutureReserves',
]);

/**
 * A mistake of ours must not be signed either. Known operations only, bounded in time and in the
 * fee of each; the given wallets are exactly those that act in it.
 */
export function checkOwnTransaction(
  unsignedXdr: string,
  passphrase: string,
  addresses: readonly string[],
  { maxFeeStroops }: Pick<TransactionLimits, 'maxFeeStroops'>,
): Done<DecodedTransaction> | Refused {
  const envelope = decode(unsignedXdr);
  if (envelope === undefined)
    return refused('malformed', 'the transaction is not a plain transaction envelope');
  const { tx, signatures } = envelope;
  if (signatures.length > 0) return refused('signed', 'the transaction is already signed');
  if (tx.cond.type !== 'precondTime' || tx.cond.timeBounds.maxTime === 0n) {
    return refused('time-bound', 'the transaction has no upper time bound');
  }
  if (BigInt(tx.fee) > maxFeeStroops * BigInt(tx.operations.length)) {
    return refused('fee', `the fee of ${tx.fee} is too high`);
  }
  // A withdrawal's text for its recipient; a hash or a number would be of no use to one.
  if (tx.memo.type !== 'memoNone' && tx.memo.type !== 'memoText')
    return refused('memo', `the memo of the transaction is a ${tx.memo.type}`);
  const foreign = tx.operations.find(({ body }) => !OWN_OPERATIONS.has(body.type));
  if (foreign !== undefined || tx.operations.length === 0) {
    return refused(
      'operations',
      `the transaction contains ${foreign?.body.type ?? 'no operation'}`,
    );
  }
  const sources = [tx.sourceAccount, ...tx.operations.flatMap((each) => each.sourceAccount ?? [])];
  const acting = new Set(sources.map(plainAddress));
  const isExact =
    acting.size === addresses.length && addresses.every((address) => acting.has(address));
  if (!isExact)
    return refused('wrong-source', 'the signers are not the wallets that act in the transaction');
  return done(describe(envelope, passphrase));
}

function describe(envelope: xdr.TransactionV1Envelope, passphrase: string): DecodedTransaction {
  const { tx } = envelope;
  const text = xdr.TransactionEnvelope.envelopeTypeTx(envelope).toXdr('base64');
  const transaction = TransactionBuilder.fromXdr(text, passphrase) as Transaction;
  const bounds = tx.cond.type === 'precondTime' ? tx.cond.timeBounds : undefined;
  return {
    transaction,
    hash: Buffer.from(transaction.hash()).toString('hex'),
    source: transaction.source,
    sequence: tx.seqNum,
    maxTime: Number(bounds?.maxTime ?? 0n),
    feeStroops: BigInt(tx.fee),
    resourceFeeStroops: tx.ext.type === 'sorobanData' ? tx.ext.sorobanData.resourceFee : 0n,
  };
}

/**
 * The address of the contract that a deployment will create: factory and salt determine it. Reads
 * the transaction as it was built, or as it was signed and carried.
 */
export function contractIdOf(envelopeXdr: string, passphrase: string): string | undefined {
  const [operation] = innermost(envelopeXdr)?.operations ?? [];
  const invocation = operation && invocationOf(operation.body);
  const salt = bytesOf(invocation?.args.args[2]);
  if (invocation === undefined || salt?.length !== 32) return undefined;
  const { contractAddress, functionName } = invocation.args;
  if (!functionName.toString().startsWith('tw_new_')) return undefined;
  return childContractId(Address.fromScAddress(contractAddress).toString(), salt, passphrase);
}

export function innermost(text: string): xdr.Transaction | undefined {
  try {
    const envelope = xdr.TransactionEnvelope.fromXdr(text, 'base64');
    if (envelope.type === 'envelopeTypeTx') return envelope.v1.tx;
    return envelope.type === 'envelopeTypeTxFeeBump'
      ? envelope.feeBump.tx.innerTx.v1.tx
      : undefined;
  } catch {
    return undefined;
  }
}

function childContractId(factory: string, salt: Uint8Array, passphrase: string): string {
  const preimage = xdr.HashIdPreimage.envelopeTypeContractId(
    new xdr.HashIdPreimageContractId({
      networkId: sha256(Buffer.from(passphrase)),
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

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
