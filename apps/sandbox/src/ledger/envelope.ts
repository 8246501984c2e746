//! Reads an envelope once: its hashes, its signatures, and the fields that the checks use.
import { Address, StrKey, xdr } from '@stellar/stellar-sdk';
import { sha256 } from './network.ts';

/** The input is not an envelope. */
export class MalformedEnvelope extends Error {
  override readonly name = 'MalformedEnvelope';
}

/** The contract that a transaction calls. */
export interface Invocation {
  readonly contractId: string;
  readonly functionName: string;
  readonly args: readonly xdr.ScVal[];
  readonly auth: readonly xdr.SorobanAuthorizationEntry[];
}

/** The transaction that carries the operations, alone or inside a fee bump. */
export interface Body {
  readonly tx: xdr.Transaction;
  readonly hash: Buffer;
  readonly source: string;
  readonly signatures: readonly xdr.DecoratedSignature[];
  readonly timeBounds: xdr.TimeBounds | null;
  /** Set when it may call a contract. */
  readonly sorobanData: xdr.SorobanTransactionData | undefined;
}

export interface FeeBump {
  readonly source: string;
  readonly fee: bigint;
  readonly hash: Buffer;
  readonly signatures: readonly xdr.DecoratedSignature[];
}

export interface Envelope {
  readonly base64: string;
  /** Of the outermost transaction, in hex. */
  readonly hash: string;
  readonly body: Body;
  readonly bump: FeeBump | undefined;
  readonly call: Invocation | undefined;
}

const ENVELOPE_TX = Buffer.from([0, 0, 0, 2]);
const ENVELOPE_BUMP = Buffer.from([0, 0, 0, 5]);

export function readEnvelope(base64: string, networkId: Uint8Array): Envelope {
  let raw: Buffer = Buffer.from(base64, 'base64');
  try {
    // An old-style envelope (V0) has the same bytes, but for its type and the key type.
    if (raw.length > 4 && raw.readUInt32BE(0) === 0)
      raw = Buffer.concat([ENVELOPE_TX, Buffer.alloc(4), raw.subarray(4)]);
    const envelope = xdr.TransactionEnvelope.fromXdr(raw);
    if (envelope.type === 'envelopeTypeTx') {
      const body = readBody(envelope.v1, bytesOfTx(raw, 4, envelope.v1.signatures, 0), networkId);
      return { base64, hash: hex(body.hash), body, bump: undefined, call: findCall(body.tx) };
    }
    if (envelope.type === 'envelopeTypeTxFeeBump')
      return readFeeBump(base64, raw, envelope.feeBump, networkId);
  } catch (error) {
    throw new MalformedEnvelope(`could not decode the envelope: ${(error as Error).message}`);
  }
  throw new MalformedEnvelope('this kind of envelope is not taken here');
}

function readFeeBump(
  base64: string,
  raw: Buffer,
  { tx, signatures }: xdr.FeeBumpTransactionEnvelope,
  networkId: Uint8Array,
): Envelope {
  const outer = bytesOfTx(raw, 4, signatures, 0);
  // Fee source (key type, perhaps an id, key), fee, envelope type; at the end the extension point.
  const before = (tx.feeSource.type === 'keyTypeEd25519' ? 36 : 44) + 8 + 4;
  const inner = tx.innerTx.v1;
  const body = readBody(inner, bytesOfTx(outer, before, inner.signatures, 4), networkId);
  const hash = sha256(networkId, ENVELOPE_BUMP, outer);
  const bump = { source: addressOf(tx.feeSource), fee: tx.fee, hash, signatures };
  return { base64, hash: hex(hash), body, bump, call: findCall(body.tx) };
}

/** The bytes between what comes before a transaction and its signatures: what is hashed. */
function bytesOfTx(
  raw: Buffer,
  before: number,
  signatures: readonly xdr.DecoratedSignature[],
  after: number,
): Buffer {
  const size = signatures.reduce(
    (sum, { signature }) => sum + 8 + Math.ceil(signature.value.length / 4) * 4,
    4,
  );
  return raw.subarray(before, raw.length - size - after);
}

function readBody(
  { tx, signatures }: xdr.TransactionV1Envelope,
  bytes: Buffer,
  networkId: Uint8Array,
): Body {
  const { cond, ext } = tx;
  const isTimed = cond.type === 'precondTime' || cond.type === 'precondV2';
  const conditions = isTimed ? cond.value : undefined;
  return {
    tx,
    hash: sha256(networkId, ENVELOPE_TX, bytes),
    source: addressOf(tx.sourceAccount),
    signatures,
    timeBounds:
      conditions instanceof xdr.PreconditionsV2 ? conditions.timeBounds : (conditions ?? null),
    sorobanData: ext.type === 'sorobanData' ? ext.sorobanData : undefined,
  };
}

function findCall({ operations }: xdr.Transaction): Invocation | undefined {
  const body = operations[0]?.body;
  if (operations.length !== 1 || body?.type !== 'invokeHostFunction') return undefined;
  const { hostFunction, auth } = body.invokeHostFunctionOp;
  if (hostFunction.type !== 'hostFunctionTypeInvokeContract') return undefined;
  const { contractAddress, functionName, args } = hostFunction.value;
  return {
    contractId: Address.fromScAddress(contractAddress).toString(),
    functionName: functionName.toString(),
    args,
    auth,
  };
}

/** The account (G…) behind a plain or a muxed address. */
export function addressOf(account: xdr.MuxedAccount): string {
  const key = account.type === 'keyTypeEd25519' ? account.ed25519 : account.med25519.ed25519;
  return StrKey.encodeEd25519PublicKey(key.value);
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
