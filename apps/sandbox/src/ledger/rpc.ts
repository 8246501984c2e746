//! The ledger's Stellar RPC API: JSON-RPC at POST /rpc.
import { xdr } from '@stellar/stellar-sdk';
import { applyFaultAfter, applyFaultBefore } from '../faults.ts';
import { type Exchange, sendJson } from '../router.ts';
import type { World } from '../world.ts';
import { authorisedBySource, sorobanDataFor } from './build-call.ts';
import { ContractError } from './contract.ts';
import { addressOf, type Envelope, hex, MalformedEnvelope } from './envelope.ts';
import type { SubmitOutcome } from './ledger.ts';
import { contractEvent, eventsOf, metaXdr } from './meta.ts';
import { FEE_SPREAD, ledgerHash, PROTOCOL_VERSION, RESOURCE_FEE } from './network.ts';
import type { TransactionRecord } from './record.ts';
import { plainResult } from './results.ts';
import { findEntry } from './rpc-entries.ts';
import { type EventQuery, listEvents } from './rpc-events.ts';
import { closeMetaXdr, headerXdr } from './rpc-header.ts';
import { submitWithFaults } from './submit.ts';

/** Undefined when a fault has sent the response already. */
type Method = (world: World, params: Params, exchange: Exchange) => unknown;
type Params = Readonly<Record<string, unknown>>;

class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const METHODS: Readonly<Record<string, Method>> = {
  getHealth,
  getNetwork,
  getLatestLedger,
  getLedgerEntries,
  getFeeStats,
  getVersionInfo,
  simulateTransaction,
  sendTransaction,
  getTransaction,
  getEvents,
};

export function serveRpc(world: World): void {
  world.router.on('POST', '/rpc/?', async (exchange) => {
    const { id, method, params } = readRequest(exchange.body);
    try {
      const handler = METHODS[method];
      if (handler === undefined) throw new RpcError(-32601, `method ${method} not found`);
      const result = await handler(world, params, exchange);
      if (result !== undefined) sendJson(exchange.response, 200, { jsonrpc: '2.0', id, result });
    } catch (error) {
      if (!(error instanceof RpcError || error instanceof MalformedEnvelope)) throw error;
      const code = error instanceof RpcError ? error.code : -32602;
      const { message } = error;
      sendJson(exchange.response, 200, { jsonrpc: '2.0', id, error: { code, message } });
    }
  });
}

function readRequest(body: string): { id: unknown; method: string; params: Params } {
  try {
    const read = JSON.parse(body) as { id?: unknown; method?: string; params?: Params | null };
    return { id: read.id ?? null, method: read.method ?? '', params: read.params ?? {} };
  } catch {
    return { id: null, method: '', params: {} };
  }
}

function textOf(params: Params, name: string): string {
  const value = params[name];
  if (typeof value !== 'string') throw new RpcError(-32602, `${name} is missing`);
  return value;
}

function getHealth({ ledger }: World): object {
  const latestLedger = ledger.head().number;
  return { status: 'healthy', latestLedger, oldestLedger: 2, ledgerRetentionWindow: latestLedger };
}

function getNetwork({ ledger, settings }: World): object {
  return {
    friendbotUrl: `${settings.publicUrl}/horizon/friendbot`,
    passphrase: ledger.network.passphrase,
    protocolVersion: PROTOCOL_VERSION,
  };
}

function getVersionInfo(): object {
  return { version: 'holdfast-sandbox', protocolVersion: PROTOCOL_VERSION };
}

function getLatestLedger({ ledger }: World): object {
  const head = ledger.head();
  return {
    id: hex(ledgerHash(ledger.network, head.number)),
    protocolVersion: PROTOCOL_VERSION,
    sequence: head.number,
    closeTime: String(head.closeTime),
    headerXdr: headerXdr(head, ledger.network).toXdr('base64'),
    metadataXdr: closeMetaXdr(head, ledger.network).toXdr('base64'),
  };
}

function getLedgerEntries({ ledger }: World, params: Params): object {
  const keys = Array.isArray(params['keys']) ? (params['keys'] as string[]) : [];
  const isReadable = keys.every((key) => xdr.LedgerKey.validateXdr(key, 'base64'));
  if (!isReadable) throw new RpcError(-32602, 'cannot unmarshal key value');
  const entries = keys.flatMap((key) => findEntry(ledger, key) ?? []);
  return { entries, latestLedger: ledger.head().number };
}

function getEvents({ ledger }: World, params: Params): object {
  const query = params as EventQuery;
  const { cursor } = query.pagination ?? {};
  if (cursor !== undefined && !/^\d{1,19}-\d{1,10}$/.test(cursor))
    throw new RpcError(-32602, `invalid cursor ${cursor}`);
  return listEvents(ledger, query);
}

function getFeeStats({ ledger }: World): object {
  const all = { ...FEE_SPREAD, transactionCount: '1', ledgerCount: 1 };
  return { sorobanInclusionFee: all, inclusionFee: all, latestLedger: ledger.head().number };
}

function simulateTransaction({ ledger }: World, params: Params): object {
  const { body, call } = ledger.read(textOf(params, 'transaction'));
  const latestLedger = ledger.head().number;
  if (call === undefined)
    return { latestLedger, error: 'Transaction contains no call of a contract', events: [] };
  const own = body.tx.operations[0]?.sourceAccount;
  const source = own ? addressOf(own) : body.source;
  try {
    const { returnValue } = ledger.simulate(source, call, hex(body.hash));
    return {
      latestLedger,
      transactionData: sorobanDataFor(call.contractId).toXdr('base64'),
      minResourceFee: String(RESOURCE_FEE),
      results: [{ auth: authOf(body), xdr: returnValue.toXdr('base64') }],
      events: [],
      cost: { cpuInsns: '1000000', memBytes: '100000' },
    };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return { latestLedger, error: `HostError: ${error.message}`, events: [] };
  }
}

function authOf({ tx }: Envelope['body']): string[] {
  const body = tx.operations[0]?.body;
  if (body?.type !== 'invokeHostFunction') return [];
  const { hostFunction } = body.invokeHostFunctionOp;
  if (hostFunction.type !== 'hostFunctionTypeInvokeContract') return [];
  return [authorisedBySource(hostFunction.value).toXdr('base64')];
}

/** For so long a node remembers that it has just taken the very same transaction. */
const DUPLICATE_SECONDS = 10;

async function sendTransaction(
  world: World,
  params: Params,
  { response }: Exchange,
): Promise<object | undefined> {
  const submission = await submitWithFaults(world, textOf(params, 'transaction'), response);
  if (submission === undefined) return undefined;
  const { number, closeTime } = world.ledger.head();
  return {
    ...sendStatus(submission.outcome, closeTime),
    latestLedger: number,
    latestLedgerCloseTime: String(closeTime),
  };
}

/** A node knows what it queued, not what came of it: failures after inclusion are PENDING too. */
function sendStatus(outcome: SubmitOutcome, now: number): object {
  if (outcome.kind === 'invalid')
    return { status: 'ERROR', hash: outcome.hash, errorResultXdr: outcome.resultXdr };
  const { hash, closeTime } = outcome.record;
  if (!outcome.isRepeat) return { status: 'PENDING', hash };
  if (now - closeTime <= DUPLICATE_SECONDS) return { status: 'DUPLICATE', hash };
  const errorResultXdr = plainResult({ code: 'txBadSeq' }, 0n).xdr;
  return { status: 'ERROR', hash, errorResultXdr };
}

async function getTransaction(
  { ledger, faults }: World,
  params: Params,
  { response }: Exchange,
): Promise<object | undefined> {
  const fault = faults.take('ledger', 'lookup');
  if (applyFaultBefore(fault, response) || (await applyFaultAfter(fault, response)))
    return undefined;
  if (fault === 'reject') throw new RpcError(-32603, 'refused by the sandbox');
  const hash = textOf(params, 'hash').toLowerCase();
  const head = ledger.head();
  const record = fault === 'stale' ? undefined : ledger.find(hash);
  return {
    status: record === undefined ? 'NOT_FOUND' : record.isSuccessful ? 'SUCCESS' : 'FAILED',
    txHash: hash,
    latestLedger: head.number,
    latestLedgerCloseTime: String(head.closeTime),
    oldestLedger: 2,
    oldestLedgerCloseTime: String(head.closeTime - head.number),
    ...(record && lookupView(record, ledger)),
  };
}

function lookupView(record: TransactionRecord, { network, withheld }: World['ledger']): object {
  const hasReturnValue = !withheld.delete(record.hash);
  const events = record.isSuccessful && record.call ? eventsOf(record, network) : [];
  return {
    ledger: record.ledger,
    createdAt: String(record.closeTime),
    applicationOrder: 1,
    feeBump: record.innerHash !== undefined,
    envelopeXdr: record.envelopeXdr,
    resultXdr: record.resultXdr,
    resultMetaXdr: metaXdr(record, network, { hasReturnValue }),
    events: {
      transactionEventsXdr: [],
      contractEventsXdr: [events.map((event) => contractEvent(event).toXdr('base64'))],
    },
    ...(record.call && record.reason && { diagnosticEventsXdr: [diagnosis(record.reason)] }),
  };
}

/** Where a node puts the sentence with which a contract refused. */
function diagnosis(sentence: string): string {
  const body = new xdr.ContractEventV0({
    topics: [xdr.ScVal.scvSymbol('error')],
    data: xdr.ScVal.scvString(sentence),
  });
  const event = new xdr.ContractEvent({
    ext: xdr.ExtensionPoint.v0(),
    contractId: null,
    type: xdr.ContractEventType.diagnostic,
    body: xdr.ContractEventBody.v0(body),
  });
  return new xdr.DiagnosticEvent({ inSuccessfulContractCall: false, event }).toXdr('base64');
}
