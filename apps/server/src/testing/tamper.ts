//! Changes that a hostile provider could make to a transaction. Each function takes it apart,
//! changes one thing, and reassembles it so that everything else is still right.
import { Address, nativeToScVal, xdr } from '@stellar/stellar-sdk/base';

type Fields = Pick<
  xdr.Transaction,
  'sourceAccount' | 'fee' | 'seqNum' | 'cond' | 'memo' | 'operations' | 'ext'
>;

export function decodeTx(text: string): xdr.Transaction {
  const envelope = xdr.TransactionEnvelope.fromXdr(text, 'base64');
  if (envelope.type !== 'envelopeTypeTx') throw new Error('a plain transaction is tampered with');
  return envelope.v1.tx;
}

export function encodeTx(tx: xdr.Transaction, signatures: xdr.DecoratedSignature[] = []): string {
  const envelope = new xdr.TransactionV1Envelope({ tx, signatures });
  return xdr.TransactionEnvelope.envelopeTypeTx(envelope).toXdr('base64');
}

/** Changes the fields around the operations, or the operations as a whole. */
export function reframe(text: string, change: (tx: xdr.Transaction) => Partial<Fields>): string {
  const tx = decodeTx(text);
  const { sourceAccount, fee, seqNum, cond, memo, operations, ext } = tx;
  const fields = { sourceAccount, fee, seqNum, cond, memo, operations, ext, ...change(tx) };
  return encodeTx(new xdr.Transaction(fields));
}

export interface Call {
  readonly contractId: string;
  readonly functionName: string;
  readonly args: readonly xdr.ScVal[];
}

export function callOf(text: string): Call {
  const { contractAddress, functionName, args } = invocationOf(text).args;
  return {
    contractId: Address.fromScAddress(contractAddress).toString(),
    functionName: functionName.toString(),
    args,
  };
}

function invocationOf(text: string): {
  args: xdr.InvokeContractArgs;
  auth: readonly xdr.SorobanAuthorizationEntry[];
} {
  const body = decodeTx(text).operations[0]?.body;
  if (body?.type !== 'invokeHostFunction') throw new Error('a contract is called');
  const { hostFunction, auth } = body.invokeHostFunctionOp;
  if (hostFunction.type !== 'hostFunctionTypeInvokeContract') throw new Error('it is invoked');
  return { args: hostFunction.invokeContract, auth };
}

export function invocation({ contractId, functionName, args }: Call): xdr.InvokeContractArgs {
  const contractAddress = new Address(contractId).toScAddress();
  return new xdr.InvokeContractArgs({ contractAddress, functionName, args: [...args] });
}

/** Changes the call, and its authorisation with it, so that only the call itself differs. */
export function recall(text: string, change: (call: Call) => Partial<Call>): string {
  const call = callOf(text);
  const args = invocation({ ...call, ...change(call) });
  return reframe(text, () => ({ operations: [invoke(args, [authorise(args)])] }));
}

/** Keeps the call and changes the authorisation that would be signed. */
export function reauthorise(
  text: string,
  change: (args: xdr.InvokeContractArgs) => xdr.SorobanAuthorizationEntry[],
): string {
  const { args } = invocationOf(text);
  return reframe(text, () => ({ operations: [invoke(args, change(args))] }));
}

export function invoke(
  args: xdr.InvokeContractArgs,
  auth: xdr.SorobanAuthorizationEntry[],
  sourceAccount: xdr.MuxedAccount | null = null,
): xdr.Operation {
  const hostFunction = xdr.HostFunction.hostFunctionTypeInvokeContract(args);
  const body = new xdr.InvokeHostFunctionOp({ hostFunction, auth });
  return new xdr.Operation({
    sourceAccount,
    body: xdr.OperationBody.invokeHostFunction(body),
  });
}

export function authorise(
  args: xdr.InvokeContractArgs,
  below: readonly xdr.InvokeContractArgs[] = [],
  credentials: xdr.SorobanCredentials = xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
): xdr.SorobanAuthorizationEntry {
  const node = (of: xdr.InvokeContractArgs, subInvocations: xdr.SorobanAuthorizedInvocation[]) =>
    new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(of),
      subInvocations,
    });
  const reached = below.map((one) => node(one, []));
  return new xdr.SorobanAuthorizationEntry({ credentials, rootInvocation: node(args, reached) });
}

/** Replaces one value deep inside the arguments: [4, 0, 'roles', 'receiver']. */
export function replaceArg(
  text: string,
  path: readonly (string | number)[],
  change: (value: xdr.ScVal) => xdr.ScVal,
): string {
  return recall(text, ({ args }) => {
    const replaced = replaceIn(xdr.ScVal.scvVec([...args]), path, change);
    return { args: replaced.type === 'scvVec' ? (replaced.vec ?? []) : [] };
  });
}

function replaceIn(
  value: xdr.ScVal,
  [key, ...rest]: readonly (string | number)[],
  change: (value: xdr.ScVal) => xdr.ScVal,
): xdr.ScVal {
  if (key === undefined) return change(value);
  if (value.type === 'scvVec' && value.vec !== null) {
    if (value.vec[key as number] === undefined) throw new Error(`there is no ${key}`);
    return xdr.ScVal.scvVec(
      value.vec.map((item, at) => (at === key ? replaceIn(item, rest, change) : item)),
    );
  }
  if (value.type !== 'scvMap' || value.map === null) throw new Error(`there is no ${key}`);
  const entries = value.map.map((entry) =>
    nameOf(entry.key) === key
      ? new xdr.ScMapEntry({ key: entry.key, val: replaceIn(entry.val, rest, change) })
      : entry,
  );
  if (!value.map.some((entry) => nameOf(entry.key) === key)) throw new Error(`there is no ${key}`);
  return xdr.ScVal.scvMap(entries);
}

function nameOf(key: xdr.ScVal): string {
  if (key.type === 'scvSymbol') return key.sym.toString();
  return key.type === 'scvAddress' ? Address.fromScVal(key).toString() : '';
}

/** Adds an entry to a map, or an item to a list. */
export function extend(value: xdr.ScVal, added: xdr.ScMapEntry | xdr.ScVal): xdr.ScVal {
  if (value.type === 'scvMap' && added instanceof xdr.ScMapEntry) {
    return xdr.ScVal.scvMap([...(value.map ?? []), added]);
  }
  if (value.type === 'scvVec' && !(added instanceof xdr.ScMapEntry)) {
    return xdr.ScVal.scvVec([...(value.vec ?? []), added]);
  }
  throw new Error('it takes no such thing');
}

/** Removes the first entry or item. */
export function shorten(value: xdr.ScVal): xdr.ScVal {
  if (value.type === 'scvMap') return xdr.ScVal.scvMap((value.map ?? []).slice(1));
  if (value.type === 'scvVec') return xdr.ScVal.scvVec((value.vec ?? []).slice(1));
  throw new Error('there is nothing to take out');
}

export const scAddress = (value: string): xdr.ScVal => new Address(value).toScVal();
export const scAmount = (value: bigint): xdr.ScVal => nativeToScVal(value, { type: 'i128' });
export const scText = (value: string): xdr.ScVal => nativeToScVal(value, { type: 'string' });
export const scEntry = (key: xdr.ScVal, val: xdr.ScVal): xdr.ScMapEntry =>
  new xdr.ScMapEntry({ key, val });
