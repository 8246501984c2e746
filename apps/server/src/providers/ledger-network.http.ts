//! The ledger network through Horizon, and an RPC node for what contracts return. Every answer is
//! judged here, by one table.
import { readInstant } from '@holdfast/kernel/clock';
import type { PersistedEnvelope } from './envelope.ts';
import { Exchange, type ExchangeSettings, isAnswer } from './exchange.ts';
import type {
  LedgerNetwork,
  NetworkAccount,
  NetworkAsset,
  NetworkFate,
  NetworkPayment,
  PaymentFeedPage,
} from './ledger-network.ts';
import { done, type Outcome, unknown } from './outcome.ts';
import {
  type Fields,
  isUsdc,
  readPayments,
  readStroops,
  recordsOf,
  textOf,
  UnreadableRecord,
} from './payment-records.ts';

export interface LedgerNetworkSettings extends Omit<ExchangeSettings, 'name' | 'headers'> {
  /** An RPC node: it alone tells what a contract call returned. */
  readonly rpcUrl: string | undefined;
  readonly passphrase: string;
  readonly usdcIssuer: string;
  /** Sending waits for a ledger to close. */
  readonly sendTimeoutMs: number;
  readonly readTimeoutMs: number;
}

/** As many transactions as Horizon tells on one page. */
const RECENT_MAX = 200;

export function httpLedgerNetwork(settings: LedgerNetworkSettings): LedgerNetwork {
  const exchange = new Exchange({ ...settings, name: 'ledger', headers: {} });
  const { usdcIssuer, passphrase, sendTimeoutMs, readTimeoutMs } = settings;
  const get = (path: string) => exchange.send({ method: 'GET', path, timeoutMs: readTimeoutMs });

  return {
    passphrase,
    usdcIssuer,
    createdContract: contractReader(settings),

    async account(address) {
      const answer = await get(`/accounts/${address}`);
      if (!isAnswer(answer)) return unknown(answer.reason);
      if (answer.status === 404) return done(null);
      if (answer.status !== 200) return unknown(`Horizon answered ${answer.status}`);
      return readAccount(answer.json, usdcIssuer);
    },

    async send(envelope: PersistedEnvelope) {
      const answer = await exchange.send({
        method: 'POST',
        path: '/transactions',
        form: { tx: envelope.xdr },
        timeoutMs: sendTimeoutMs,
      });
      if (!isAnswer(answer)) return unknown(answer.reason);
      if (answer.status === 200) return readTransaction(answer.json);
      // Whatever else it says, it is the hash that decides: a refusal to a repeat of an envelope
      // that took effect long ago looks the same as one to an envelope that never will.
      return answer.status < 500
        ? done({ fate: 'absent' })
        : unknown(`Horizon answered ${answer.status}`);
    },

    async lookUp(hash) {
      const answer = await get(`/transactions/${hash}`);
      if (!isAnswer(answer)) return unknown(answer.reason);
      if (answer.status === 404) return done({ fate: 'absent' });
      if (answer.status !== 200) return unknown(`Horizon answered ${answer.status}`);
      return readTransaction(answer.json);
    },

    async usersOf(source, sequence) {
      // A failed transaction uses its number up as well.
      const query = `limit=${RECENT_MAX}&order=desc&include_failed=true`;
      const answer = await get(`/accounts/${source}/transactions?${query}`);
      if (!isAnswer(answer)) return unknown(answer.reason);
      if (answer.status !== 200) return unknown(`Horizon answered ${answer.status}`);
      const user = (recordsOf(answer.json) ?? []).find(
        (record) =>
          textOf(record, 'source_account') === source &&
          textOf(record, 'source_account_sequence') === String(sequence),
      );
      const carried = textOf(user?.['inner_transaction'], 'hash');
      return done([textOf(user, 'hash'), carried].filter((hash) => hash !== ''));
    },

    async closeTime() {
      const answer = await get('/ledgers?order=desc&limit=1');
      if (!isAnswer(answer)) return unknown(answer.reason);
      const [ledger] = recordsOf(answer.json) ?? [];
      const at = readInstant(textOf(ledger, 'closed_at'));
      return at === undefined ? unknown('Horizon tells no ledger') : done(Math.floor(at / 1000));
    },

    ...paymentReaders(get, usdcIssuer),
  };
}

type Get = (path: string) => ReturnType<Exchange['send']>;

/** What addresses and transactions moved. */
function paymentReaders(
  get: Get,
  usdcIssuer: string,
): Pick<LedgerNetwork, 'payments' | 'paymentsOf' | 'paymentsSince'> {
  return {
    async payments(address, { cursor, limit, order }) {
      const query = new URLSearchParams({
        limit: String(limit),
        order,
        ...(cursor ? { cursor } : {}),
      });
      const answer = await get(`/accounts/${address}/payments?${query.toString()}`);
      if (!isAnswer(answer)) return unknown(answer.reason);
      if (answer.status === 404) return done([]);
      if (answer.status !== 200) return unknown(`Horizon answered ${answer.status}`);
      const page = readPage(answer.json, usdcIssuer);
      if (page.kind !== 'done') return page;
      const isOfAddress = ({ from, to }: NetworkPayment) => from === address || to === address;
      return done(page.value.payments.filter(isOfAddress));
    },

    async paymentsOf(hash) {
      const answer = await get(`/transactions/${hash}/payments?limit=200`);
      if (!isAnswer(answer)) return unknown(answer.reason);
      if (answer.status === 404) return done(null);
      if (answer.status !== 200) return unknown(`Horizon answered ${answer.status}`);
      const page = readPage(answer.json, usdcIssuer);
      return page.kind === 'done' ? done(page.value.payments) : page;
    },

    async paymentsSince(cursor, limit) {
      const query = new URLSearchParams({ cursor, limit: String(limit), order: 'asc' });
      const answer = await get(`/payments?${query.toString()}`);
      if (!isAnswer(answer)) return unknown(answer.reason);
      // 410 among them: what lies before Horizon's own memory is not read past.
      if (answer.status !== 200) return unknown(`Horizon answered ${answer.status}`);
      const page = readPage(answer.json, usdcIssuer);
      if (page.kind !== 'done') return page;
      const { payments, count, last } = page.value;
      return done({ payments, cursor: last ?? cursor, isFull: count >= limit });
    },
  };
}

interface ReadPage extends Pick<PaymentFeedPage, 'payments'> {
  readonly count: number;
  readonly last: string | undefined;
}

function readPage(json: unknown, usdcIssuer: string): Outcome<ReadPage> {
  const records = recordsOf(json);
  if (records === undefined) return unknown('Horizon tells no page');
  const last = records.length === 0 ? undefined : textOf(records.at(-1), 'paging_token');
  if (last === '') return unknown('Horizon tells a record without its place');
  try {
    const payments = records.flatMap((record) => readPayments(record, usdcIssuer));
    return done({ payments, count: records.length, last });
  } catch (error) {
    if (error instanceof UnreadableRecord) return unknown(error.message);
    throw error;
  }
}

function readAccount(json: unknown, usdcIssuer: string): Outcome<NetworkAccount> {
  const address = textOf(json, 'account_id');
  const sequence = textOf(json, 'sequence');
  const balances = (json as { balances?: unknown }).balances;
  if (address === '' || !/^\d+$/.test(sequence) || !Array.isArray(balances))
    return unknown('Horizon tells no account');
  const assets: NetworkAsset[] = [];
  for (const line of balances as Fields[]) {
    const stroops = readStroops(textOf(line, 'balance'));
    if (stroops === undefined) return unknown('Horizon tells a balance that is none');
    if (line['asset_type'] === 'native') assets.push({ code: 'XLM', stroops });
    else if (isUsdc(line, usdcIssuer)) assets.push({ code: 'USDC', stroops });
  }
  return done({
    address,
    sequence: BigInt(sequence),
    assets,
    hasUsdcTrustline: assets.some(({ code }) => code === 'USDC'),
  });
}

function readTransaction(json: unknown): Outcome<NetworkFate> {
  const { successful, ledger, created_at: at, result_xdr: resultXdr } = json as Fields;
  if (successful === false) return done({ fate: 'failed', code: 'tx_failed' });
  if (successful !== true || typeof ledger !== 'number')
    return unknown('Horizon tells no transaction');
  return done({
    fate: 'applied',
    ledger,
    appliedAt: readInstant(String(at)) ?? 0,
    resultXdr: typeof resultXdr === 'string' ? resultXdr : undefined,
  });
}

/** By JSON-RPC: what a contract call returned is told nowhere else. */
function contractReader(settings: LedgerNetworkSettings): LedgerNetwork['createdContract'] {
  const { rpcUrl: baseUrl, readTimeoutMs: timeoutMs } = settings;
  if (baseUrl === undefined) return async () => unknown('no RPC node is configured');
  const rpc = new Exchange({ ...settings, baseUrl, name: 'ledger rpc', headers: {} });
  return async (hash) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'getTransaction', params: { hash } };
    const answer = await rpc.send({ method: 'POST', path: '', body, timeoutMs });
    if (!isAnswer(answer)) return unknown(answer.reason);
    const { result } = (answer.json ?? {}) as { result?: Fields };
    if (result?.['status'] !== 'SUCCESS') return unknown('the RPC node tells no success');
    const { readCreatedContract } = await import('./created-contract.ts');
    try {
      return done(readCreatedContract(textOf(result, 'resultMetaXdr')));
    } catch {
      return unknown('the RPC node tells an unreadable result');
    }
  };
}
