//! The ledger's Horizon API, under /horizon: accounts, transactions, payments, submission.
import type { ServerResponse } from 'node:http';
import { StrKey } from '@stellar/stellar-sdk';
import { applyFaultAfter, applyFaultBefore } from '../faults.ts';
import { type Exchange, sendJson } from '../router.ts';
import type { World } from '../world.ts';
import { hex, MalformedEnvelope } from './envelope.ts';
import {
  accountView,
  effectViews,
  paymentView,
  sequencedTransactionView,
  timeText,
  transactionView,
} from './horizon.view.ts';
import { horizonUrl, sendList } from './horizon-pages.ts';
import { BASE_FEE, BASE_RESERVE, FEE_SPREAD, ledgerHash, PROTOCOL_VERSION } from './network.ts';
import type { ResultCodes } from './results.ts';
import { submitWithFaults } from './submit.ts';

export function serveHorizon(world: World): void {
  const { router, ledger } = world;
  const payments = {
    find: (query: Parameters<typeof ledger.archive.payments>[0]) => ledger.archive.payments(query),
    view: paymentView,
  };
  const transactions = {
    find: (query: Parameters<typeof ledger.archive.payments>[0]) =>
      ledger.archive.transactions(query),
    view: (base: string, item: Parameters<typeof sequencedTransactionView>[1]) =>
      sequencedTransactionView(base, item, ledger),
  };
  router.on('GET', '/horizon/?', (exchange) => sendRoot(world, exchange));
  router.on('GET', '/horizon/accounts/:id', (exchange) => sendAccount(world, exchange));
  router.on('GET', '/horizon/accounts/:id/payments', (exchange) =>
    sendList(world, exchange, payments, exchange.params['id']),
  );
  router.on('GET', '/horizon/accounts/:id/transactions', (exchange) =>
    sendList(world, exchange, transactions, exchange.params['id']),
  );
  router.on('GET', '/horizon/payments', (exchange) => sendList(world, exchange, payments));
  router.on('GET', '/horizon/transactions', (exchange) => sendList(world, exchange, transactions));
  router.on('POST', '/horizon/transactions', (exchange) => submit(world, exchange));
  router.on('GET', '/horizon/transactions/:hash', (exchange) => sendLookup(world, exchange));
  router.on('GET', '/horizon/transactions/:hash/payments', (exchange) => {
    const record = ledger.archive.find(exchange.params['hash'] ?? '');
    if (record === undefined) return sendProblem(exchange.response, NOT_FOUND);
    const ofOne = { find: () => ledger.archive.paymentsOf(record), view: paymentView };
    return sendList(world, exchange, ofOne);
  });
  router.on('GET', '/horizon/operations/:id/effects', (exchange) => sendEffects(world, exchange));
  router.on('GET', '/horizon/fee_stats', (exchange) => sendFees(world, exchange));
  router.on('GET', '/horizon/ledgers', (exchange) => sendLedgers(world, exchange));
  router.on('GET', '/horizon/friendbot', (exchange) => befriend(world, exchange));
}

interface Problem {
  readonly status: number;
  readonly type: string;
  readonly title: string;
  readonly detail?: string;
  readonly extras?: object;
}

function sendProblem(response: ServerResponse, problem: Problem): void {
  if (response.destroyed) return;
  const type = `https://stellar.org/horizon-errors/${problem.type}`;
  response
    .writeHead(problem.status, { 'content-type': 'application/problem+json; charset=utf-8' })
    .end(JSON.stringify({ ...problem, type }));
}

const NOT_FOUND: Problem = {
  status: 404,
  type: 'not_found',
  title: 'Resource Missing',
  detail: 'The resource at the url requested was not found.',
};

async function submit(world: World, { body, request, response }: Exchange): Promise<void> {
  const envelopeXdr = new URLSearchParams(body).get('tx') ?? '';
  try {
    const submission = await submitWithFaults(world, envelopeXdr, response, sendTimeout);
    if (submission === undefined) return;
    const { outcome } = submission;
    if (outcome.kind === 'invalid') {
      sendFailed(response, envelopeXdr, outcome.codes, outcome.resultXdr, outcome.hash);
      return;
    }
    const { record } = outcome;
    if (record.isSuccessful) {
      const base = horizonUrl(request.headers.host);
      sendJson(response, 200, transactionView(base, record, world.ledger));
    } else sendFailed(response, record.envelopeXdr, record.codes, record.resultXdr, record.hash);
  } catch (error) {
    if (!(error instanceof MalformedEnvelope)) throw error;
    sendProblem(response, {
      status: 400,
      type: 'transaction_malformed',
      title: 'Transaction Malformed',
      detail: error.message,
      extras: { envelope_xdr: envelopeXdr },
    });
  }
}

/** Horizon gives up waiting: the transaction may have been applied or not. */
function sendTimeout(response: ServerResponse): void {
  sendProblem(response, {
    status: 504,
    type: 'timeout',
    title: 'Timeout',
    detail: 'Your request timed out before completing. The transaction may still be applied.',
  });
}

function sendFailed(
  response: ServerResponse,
  envelope_xdr: string,
  result_codes: ResultCodes,
  result_xdr: string,
  hash: string,
): void {
  sendProblem(response, {
    status: 400,
    type: 'transaction_failed',
    title: 'Transaction Failed',
    detail: 'The transaction failed when submitted to the network.',
    extras: { hash, envelope_xdr, result_codes, result_xdr },
  });
}

function sendAccount({ ledger }: World, { params, request, response }: Exchange): void {
  const account = ledger.account(params['id'] ?? '');
  if (account === undefined) sendProblem(response, NOT_FOUND);
  else {
    const base = horizonUrl(request.headers.host);
    sendJson(response, 200, accountView(base, account, ledger.head().closeTime));
  }
}

async function sendLookup(
  { ledger, faults }: World,
  { params, request, response }: Exchange,
): Promise<void> {
  const fault = faults.take('ledger', 'lookup');
  if (applyFaultBefore(fault, response) || (await applyFaultAfter(fault, response))) return;
  const hash = (params['hash'] ?? '').toLowerCase();
  const record = fault === 'stale' ? undefined : ledger.find(hash);
  if (fault === 'reject')
    sendProblem(response, { status: 403, type: 'forbidden', title: 'Forbidden' });
  else if (record === undefined) sendProblem(response, NOT_FOUND);
  else {
    const base = horizonUrl(request.headers.host);
    sendJson(response, 200, transactionView(base, record, ledger, hash));
  }
}

function sendEffects({ ledger }: World, { params, request, response }: Exchange): void {
  const { id = '' } = params;
  const before = /^\d{1,19}$/.test(id) ? BigInt(id) - 1n : 0n;
  const [found] = ledger.archive.payments({ cursor: before, order: 'asc', limit: 1 });
  if (found === undefined || String(found.token) !== id) {
    sendProblem(response, NOT_FOUND);
    return;
  }
  const base = horizonUrl(request.headers.host);
  const self = { href: `${base}/operations/${id}/effects` };
  sendJson(response, 200, {
    _links: { self, next: self, prev: self },
    _embedded: { records: effectViews(base, found) },
  });
}

function sendRoot({ ledger }: World, { request, response }: Exchange): void {
  const { number, closeTime } = ledger.head();
  const base = horizonUrl(request.headers.host);
  sendJson(response, 200, {
    _links: {
      self: { href: `${base}/` },
      account: { href: `${base}/accounts/{account_id}`, templated: true },
      friendbot: { href: `${base}/friendbot{?addr}`, templated: true },
      transaction: { href: `${base}/transactions/{hash}`, templated: true },
      payments: { href: `${base}/payments{?cursor,limit,order}`, templated: true },
    },
    horizon_version: 'holdfast-sandbox',
    core_version: 'holdfast-sandbox',
    ingest_latest_ledger: number,
    history_latest_ledger: number,
    history_latest_ledger_closed_at: timeText(closeTime),
    history_elder_ledger: 2,
    core_latest_ledger: number,
    network_passphrase: ledger.network.passphrase,
    current_protocol_version: PROTOCOL_VERSION,
    supported_protocol_version: PROTOCOL_VERSION,
    core_supported_protocol_version: PROTOCOL_VERSION,
  });
}

function sendFees({ ledger }: World, { response }: Exchange): void {
  sendJson(response, 200, {
    last_ledger: String(ledger.head().number),
    last_ledger_base_fee: String(BASE_FEE),
    ledger_capacity_usage: '0.01',
    fee_charged: FEE_SPREAD,
    max_fee: FEE_SPREAD,
  });
}

/** Only the latest one: clients read the time from it. */
function sendLedgers({ ledger }: World, { request, response }: Exchange): void {
  const { number, closeTime } = ledger.head();
  const base = horizonUrl(request.headers.host);
  const hash = hex(ledgerHash(ledger.network, number));
  const self = { href: `${base}/ledgers/${number}` };
  const record = {
    _links: { self, transactions: self, operations: self, payments: self, effects: self },
    id: hash,
    paging_token: String(BigInt(number) << 32n),
    hash,
    prev_hash: hex(ledgerHash(ledger.network, number - 1)),
    sequence: number,
    successful_transaction_count: 1,
    failed_transaction_count: 0,
    operation_count: 1,
    closed_at: timeText(closeTime),
    total_coins: '50000000000.0000000',
    fee_pool: '0.0000000',
    base_fee_in_stroops: +String(BASE_FEE),
    base_reserve_in_stroops: +String(BASE_RESERVE),
    max_tx_set_size: 100,
    protocol_version: PROTOCOL_VERSION,
  };
  const page = { href: `${base}/ledgers` };
  sendJson(response, 200, {
    _links: { self: page, next: page, prev: page },
    _embedded: { records: [record] },
  });
}

const FRIENDLY_XLM = '10000';

function befriend({ ledger }: World, { url, request, response }: Exchange): void {
  const address = url.searchParams.get('addr') ?? '';
  if (!StrKey.isValidEd25519PublicKey(address))
    sendProblem(response, { status: 400, type: 'bad_request', title: 'Bad Request' });
  else if (ledger.account(address) !== undefined)
    sendProblem(response, {
      status: 400,
      type: 'bad_request',
      title: 'Bad Request',
      detail: 'account already funded to starting balance',
    });
  else {
    const record = ledger.fund(address, FRIENDLY_XLM);
    sendJson(response, 200, transactionView(horizonUrl(request.headers.host), record, ledger));
  }
}
