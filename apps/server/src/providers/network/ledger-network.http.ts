//! The ledger network through Horizon, and an RPC node for the results of contract calls. This file
//! interprets every reply, by one table.
import { readInstant } from '@holdfast/kernel/clock';
import { done, type Outcome, unknown } from '../outcome.ts';
import { isReply, ProviderHttp, type ProviderHttpSettings } from '../provider-http.ts';
import type { PersistedEnvelope } from './envelope.ts';
import type {
  LedgerNetwork,
  NetworkAccount,
  NetworkAsset,
  NetworkPayment,
  OwnAddresses,
  PaymentFeedPage,
  TransactionStatus,
} from './ledger-network.ts';
import {
  type Fields,
  isUsdc,
  type Merge,
  mergeOf,
  readMerged,
  readPayments,
  readStroops,
  recordsOf,
  textOf,
  UnreadableRecord,
} from './payment-records.ts';
import { readNetworkTransaction } from './transaction-records.ts';

export interface LedgerNetworkSettings extends Omit<ProviderHttpSettings, 'name' | 'headers'> {
  /** An RPC node: only it returns the result of a contract call. */
  readonly rpcUrl: string | undefined;
  readonly passphrase: string;
  readonly usdcIssuer: string;
  /** Sending waits for a ledger to close. */
  readonly sendTimeoutMs: number;
  readonly readTimeoutMs: number;
}

/** The value 1 in base64, as SEP-29 sets it. */
const MEMO_REQUIRED = 'MQ==';
/** Transactions on one page of Horizon. */
const RECENT_MAX = 200;

export function httpLedgerNetwork(settings: LedgerNetworkSettings): LedgerNetwork {
  const http = new ProviderHttp({ ...settings, name: 'ledger', headers: {} });
  const { usdcIssuer, passphrase, sendTimeoutMs, readTimeoutMs } = settings;
  const get = (path: string) => http.send({ method: 'GET', path, timeoutMs: readTimeoutMs });
  const transactions = transactionReader(get);

  return {
    passphrase,
    usdcIssuer,
    createdContract: contractReader(settings),

    async account(address) {
      const reply = await get(`/accounts/${address}`);
      if (!isReply(reply)) return unknown(reply.reason);
      if (reply.status === 404) return done(null);
      if (reply.status !== 200) return unknown(`Horizon returned ${reply.status}`);
      return readAccount(reply.json, usdcIssuer);
    },

    async send(envelope: PersistedEnvelope) {
      const reply = await http.send({
        method: 'POST',
        path: '/transactions',
        form: { tx: envelope.xdr },
        timeoutMs: sendTimeoutMs,
      });
      if (!isReply(reply)) return unknown(reply.reason);
      if (reply.status === 200) return readTransaction(reply.json);
      // The hash decides, not the reply. A refusal to a repeat of an envelope that took effect long
      // ago equals one to an envelope that never will.
      return reply.status < 500
        ? done({ status: 'absent' })
        : unknown(`Horizon returned ${reply.status}`);
    },

    async findTransaction(hash) {
      const reply = await get(`/transactions/${hash}`);
      if (!isReply(reply)) return unknown(reply.reason);
      if (reply.status === 404) return done({ status: 'absent' });
      if (reply.status !== 200) return unknown(`Horizon returned ${reply.status}`);
      return readTransaction(reply.json);
    },

    transactions,

    async usersOf(source, sequence) {
      const recent = await transactions(source, { cursor: undefined, limit: RECENT_MAX });
      if (recent.kind !== 'done') return recent;
      const user = recent.value.find(
        (each) => each.source === source && each.sequence === sequence,
      );
      return done([user?.hash, user?.innerHash].filter((hash) => typeof hash === 'string'));
    },

    async closeTime() {
      const reply = await get('/ledgers?order=desc&limit=1');
      if (!isReply(reply)) return unknown(reply.reason);
      const [ledger] = recordsOf(reply.json) ?? [];
      const at = readInstant(textOf(ledger, 'closed_at'));
      return at === undefined ? unknown('Horizon returned no ledger') : done(Math.floor(at / 1000));
    },

    ...paymentReaders(get, usdcIssuer),
  };
}

type Get = (path: string) => ReturnType<ProviderHttp['send']>;

function transactionReader(get: Get): LedgerNetwork['transactions'] {
  return async (account, { cursor, limit }) => {
    const query = new URLSearchParams({
      limit: String(limit),
      order: 'desc',
      // A failed transaction uses up its sequence number as well.
      include_failed: 'true',
      ...(cursor === undefined ? {} : { cursor }),
    });
    const reply = await get(`/accounts/${account}/transactions?${query.toString()}`);
    if (!isReply(reply)) return unknown(reply.reason);
    // An account that is not there yet has none.
    if (reply.status === 404) return done([]);
    if (reply.status !== 200) return unknown(`Horizon returned ${reply.status}`);
    const records = recordsOf(reply.json);
    if (records === undefined) return unknown('Horizon returned no page');
    const read = records.map(readNetworkTransaction);
    return read.includes(undefined)
      ? unknown('Horizon returned an unreadable transaction')
      : done(read.filter((each) => each !== undefined));
  };
}

/** Readers of the payments of addresses and transactions. */
function paymentReaders(
  get: Get,
  usdcIssuer: string,
): Pick<LedgerNetwork, 'payments' | 'paymentsOf' | 'paymentsSince'> {
  const readPage = pageReader(get, usdcIssuer);
  return {
    async payments(address, { cursor, limit, order }) {
      const query = new URLSearchParams({
        limit: String(limit),
        order,
        ...(cursor ? { cursor } : {}),
      });
      const reply = await get(`/accounts/${address}/payments?${query.toString()}`);
      if (!isReply(reply)) return unknown(reply.reason);
      if (reply.status === 404) return done([]);
      if (reply.status !== 200) return unknown(`Horizon returned ${reply.status}`);
      const page = await readPage(reply.json);
      if (page.kind !== 'done') return page;
      const isOfAddress = ({ from, to }: NetworkPayment) => from === address || to === address;
      return done(page.value.payments.filter(isOfAddress));
    },

    async paymentsOf(hash) {
      const reply = await get(`/transactions/${hash}/payments?limit=200`);
      if (!isReply(reply)) return unknown(reply.reason);
      if (reply.status === 404) return done(null);
      if (reply.status !== 200) return unknown(`Horizon returned ${reply.status}`);
      const page = await readPage(reply.json);
      return page.kind === 'done' ? done(page.value.payments) : page;
    },

    async paymentsSince(cursor, limit, own) {
      const query = new URLSearchParams({ cursor, limit: String(limit), order: 'asc' });
      const reply = await get(`/payments?${query.toString()}`);
      if (!isReply(reply)) return unknown(reply.reason);
      // Includes 410: nothing is read past the start of Horizon's history.
      if (reply.status !== 200) return unknown(`Horizon returned ${reply.status}`);
      const page = await readPage(reply.json, own);
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

/** Without `own`, the amounts of all merges are read: there are few for one address. */
function pageReader(get: Get, usdcIssuer: string) {
  const readMerges = async (merges: readonly Merge[]): Promise<Outcome<Map<string, bigint>>> => {
    const amounts = new Map<string, bigint>();
    for (const merge of merges) {
      const reply = await get(`/operations/${merge.operationId}/effects?limit=200`);
      if (!isReply(reply)) return unknown(reply.reason);
      if (reply.status !== 200) return unknown(`Horizon returned ${reply.status}`);
      amounts.set(merge.operationId, readMerged(recordsOf(reply.json) ?? [], merge));
    }
    return done(amounts);
  };
  return async (json: unknown, own?: OwnAddresses): Promise<Outcome<ReadPage>> => {
    const records = recordsOf(json);
    if (records === undefined) return unknown('Horizon returned no page');
    const last = records.length === 0 ? undefined : textOf(records.at(-1), 'paging_token');
    if (last === '') return unknown('Horizon returned a record without its position');
    try {
      const merges = records.flatMap((record) => mergeOf(record) ?? []);
      const ours = merges.length === 0 ? undefined : await own?.(merges.map(({ into }) => into));
      const merged = await readMerges(merges.filter(({ into }) => ours?.has(into) ?? true));
      if (merged.kind !== 'done') return merged;
      const payments = records.flatMap((each) => readPayments(each, usdcIssuer, merged.value));
      return done({ payments, count: records.length, last });
    } catch (error) {
      if (error instanceof UnreadableRecord) return unknown(error.message);
      throw error;
    }
  };
}

function readAccount(json: unknown, usdcIssuer: string): Outcome<NetworkAccount> {
  const address = textOf(json, 'account_id');
  const sequence = textOf(json, 'sequence');
  const balances = (json as { balances?: unknown }).balances;
  if (address === '' || !/^\d+$/.test(sequence) || !Array.isArray(balances))
    return unknown('Horizon returned no account');
  const assets: NetworkAsset[] = [];
  for (const line of balances as Fields[]) {
    const stroops = readStroops(textOf(line, 'balance'));
    if (stroops === undefined) return unknown('Horizon returned an invalid balance');
    if (line['asset_type'] === 'native') assets.push({ code: 'XLM', stroops });
    else if (isUsdc(line, usdcIssuer)) assets.push({ code: 'USDC', stroops });
  }
  return done({
    address,
    sequence: BigInt(sequence),
    assets,
    hasUsdcTrustline: assets.some(({ code }) => code === 'USDC'),
    requiresMemo: textOf((json as Fields)['data'], 'config.memo_required') === MEMO_REQUIRED,
    spendableXlm: spendableXlm(json as Fields, assets),
  });
}

/** Half an XLM, for each of two of the account itself, its entries, and those that it sponsors. */
const BASE_RESERVE_STROOPS = 5_000_000n;

function spendableXlm(account: Fields, assets: readonly NetworkAsset[]): bigint {
  const count = (name: string) => BigInt(typeof account[name] === 'number' ? account[name] : 0);
  const entries = count('subentry_count') + count('num_sponsoring') - count('num_sponsored');
  const held = assets.find(({ code }) => code === 'XLM')?.stroops ?? 0n;
  return held - (2n + entries) * BASE_RESERVE_STROOPS;
}

function readTransaction(json: unknown): Outcome<TransactionStatus> {
  const { successful, ledger, created_at: at, result_xdr: resultXdr } = json as Fields;
  if (successful === false) return done({ status: 'failed', code: 'tx_failed' });
  if (successful !== true || typeof ledger !== 'number')
    return unknown('Horizon returned no transaction');
  return done({
    status: 'applied',
    ledger,
    appliedAt: readInstant(String(at)) ?? 0,
    resultXdr: typeof resultXdr === 'string' ? resultXdr : undefined,
  });
}

/** Over JSON-RPC: Horizon does not return the result of a contract call. */
function contractReader(settings: LedgerNetworkSettings): LedgerNetwork['createdContract'] {
  const { rpcUrl: baseUrl, readTimeoutMs: timeoutMs } = settings;
  if (baseUrl === undefined) return async () => unknown('no RPC node is configured');
  const rpc = new ProviderHttp({ ...settings, baseUrl, name: 'ledger rpc', headers: {} });
  return async (hash) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'getTransaction', params: { hash } };
    const reply = await rpc.send({ method: 'POST', path: '', body, timeoutMs });
    if (!isReply(reply)) return unknown(reply.reason);
    const { result } = (reply.json ?? {}) as { result?: Fields };
    if (result?.['status'] !== 'SUCCESS') return unknown('the RPC node returned no success');
    const { readCreatedContract } = await import('../escrow/created-contract.ts');
    try {
      return done(readCreatedContract(textOf(result, 'resultMetaXdr')));
    } catch {
      return unknown('the RPC node returned an unreadable result');
    }
  };
}
