//! POST /helper/send-transaction, and the routes that report a transaction to the vendor.
import type { ServerResponse } from 'node:http';
import { MalformedEnvelope } from '../ledger/envelope.ts';
import type { TransactionRecord } from '../ledger/record.ts';
import { submitWithFaults } from '../ledger/submit.ts';
import { type Exchange, sendJson } from '../router.ts';
import type { World } from '../world.ts';
import { ApiRefusal } from './api-refusal.ts';
import { readJsonBody } from './body-shape.ts';
import { DEPLOY_FUNCTION } from './contract-address.ts';
import { escrowView } from './escrow.view.ts';
import { contractOf, refreshIndex } from './escrow-index.ts';

const SENT = 'The transaction has been successfully sent to the Stellar network.';
/** Only these return the contract. */
const CONTRACT_FUNCTIONS: readonly string[] = [...Object.values(DEPLOY_FUNCTION), 'update_escrow'];

/** Undefined when a fault has sent the response already. */
export type Reply = { readonly status: number; readonly body: object } | undefined;

export async function sendTransaction(world: World, exchange: Exchange): Promise<Reply> {
  const body = readJsonBody(exchange.body, { signedXdr: { type: 'text' } });
  const signedXdr = body['signedXdr'] as string;
  const { hash } = read(world, signedXdr);
  const isKnown = world.ledger.find(hash) !== undefined;
  const pending = submitWithFaults(world, signedXdr, exchange.response, sendErrorAfterApply);
  // The transaction is applied by now, even if the response is lost.
  const record = world.ledger.find(hash);
  const contractId = record?.isSuccessful && !isKnown ? contractOf(record) : undefined;
  if (contractId !== undefined) refreshIndex(world, contractId);
  const submission = await pending;
  if (submission === undefined) return undefined;
  const { outcome, fault } = submission;
  if (outcome.kind === 'invalid') return failed(500, outcome.codes.transaction);
  if (!outcome.record.isSuccessful) throw new ApiRefusal(400, outcome.record.reason ?? 'FAILED');
  const fields = fault === 'no-contract-id' ? {} : contractFields(world, outcome.record);
  return { status: 201, body: { status: 'SUCCESS', message: SENT, ...fields } };
}

function read(world: World, signedXdr: string): { hash: string } {
  try {
    return world.ledger.read(signedXdr);
  } catch (error) {
    if (error instanceof MalformedEnvelope)
      throw new ApiRefusal(400, 'The signedXdr is not a valid transaction');
    throw error;
  }
}

function failed(status: number, message: string): Reply {
  return { status, body: { status: 'FAILED', message } };
}

function contractFields(world: World, record: TransactionRecord): object {
  if (!CONTRACT_FUNCTIONS.includes(record.call?.functionName ?? '')) return {};
  const contractId = contractOf(record);
  const indexed = contractId === undefined ? undefined : refreshIndex(world, contractId);
  return indexed === undefined ? {} : { contractId, escrow: escrowView(world, indexed) };
}

/** Seen in practice: an error of the vendor's own making, although the ledger has accepted. */
function sendErrorAfterApply(response: ServerResponse): void {
  const message =
    "Cannot read properties of undefined (reading 'resultMetaXdr'): the transaction may not be complete yet";
  sendJson(response, 500, { status: 'FAILED', message });
}

/** PUT or POST /indexer/update-from-txhash: for what was sent to the ledger directly. */
export function updateFromTxHash(world: World, exchange: Exchange): Reply {
  const body = readJsonBody(exchange.body, { txHash: { type: 'text' } });
  const record = world.ledger.find((body['txHash'] as string).toLowerCase());
  if (record === undefined) throw new ApiRefusal(404, 'Transaction not found');
  const contractId = record.isSuccessful ? contractOf(record) : undefined;
  const indexed = contractId === undefined ? undefined : refreshIndex(world, contractId);
  if (indexed === undefined) throw new ApiRefusal(400, 'The transaction changes no escrow');
  return { status: 200, body: { status: 'SUCCESS', message: 'Escrow updated from transaction.' } };
}
