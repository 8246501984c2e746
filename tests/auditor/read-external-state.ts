//! Reads external state over HTTP from `--sandbox`: the network through its Horizon API, and the
//! providers through their own APIs.
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  ArrivedWebhook,
  AtRest,
  ExternalState,
  Holding,
  NetworkPayment,
} from './external-state.ts';
import type { Journal } from './journal.ts';

type Fields = Readonly<Record<string, unknown>>;

const PAGE = 200;
const LANES = 8;
const CONTRACTS_AT_ONCE = 20;
const TRIES_MAX = 10;
const TRY_AGAIN_MS = 500;

/** At rest only with `isConverged`, and then repeated until nothing moved during the read. */
export async function readExternalState(
  sandbox: string,
  journal: Journal,
  isConverged: boolean,
): Promise<ExternalState> {
  for (let tries = 1; ; tries += 1) {
    const before = await newest(sandbox);
    const records = await readAll(sandbox, '/payments');
    const issuer = issuerOf(journal, records);
    const amounts = await mergedAmounts(sandbox, records);
    const payments = records.flatMap((record) => paymentsOf(record, issuer, amounts));
    const webhooks = await readWebhooks(sandbox);
    if (!isConverged) return { payments, webhooks };
    const atRest = await readAtRest(sandbox, { journal, payments, issuer });
    if (before === (await newest(sandbox))) return { payments, webhooks, atRest };
    if (tries === TRIES_MAX) throw new Error('the network is not at rest');
    await sleep(TRY_AGAIN_MS);
  }
}

async function newest(sandbox: string): Promise<unknown> {
  const page = await get(sandbox, '/horizon/transactions?order=desc&limit=1');
  return recordsOf(page)[0]?.['paging_token'];
}

async function readAll(sandbox: string, path: string): Promise<Fields[]> {
  const all: Fields[] = [];
  for (let cursor = ''; ; ) {
    const page = await get(sandbox, `/horizon${path}?limit=${PAGE}&cursor=${cursor}`);
    const records = recordsOf(page);
    all.push(...records);
    if (records.length < PAGE) return all;
    cursor = String(records.at(-1)?.['paging_token']);
  }
}

/** Any account can issue a USDC; ours is the one that the journal names so. */
function issuerOf(journal: Journal, records: readonly Fields[]): string | undefined {
  const hashes = new Set(
    journal.filter(({ asset }) => asset === 'USDC').map(({ txHash }) => txHash),
  );
  const known = records.find(
    (record) => hashes.has(record['transaction_hash'] as string) && record['asset_code'] === 'USDC',
  );
  return known?.['asset_issuer'] as string | undefined;
}

/** By operation: Horizon names the amount of a merge only in its effects. */
async function mergedAmounts(
  sandbox: string,
  records: readonly Fields[],
): Promise<ReadonlyMap<unknown, unknown>> {
  const merges = records.filter(({ type }) => type === 'account_merge');
  const read = await inLanes(merges, async ({ id, into }) => {
    const effects = recordsOf(await get(sandbox, `/horizon/operations/${String(id)}/effects`));
    const credit = effects.find(
      ({ type, account }) => type === 'account_credited' && account === into,
    );
    return [id, credit?.['amount']] as const;
  });
  return new Map(read);
}

function paymentsOf(
  record: Fields,
  issuer: string | undefined,
  amounts: ReadonlyMap<unknown, unknown>,
): NetworkPayment[] {
  const { id, transaction_hash, type, starting_balance, funder, account, into } = record;
  const native = { asset_type: 'native' };
  const lines =
    type === 'create_account'
      ? [{ ...native, from: funder, to: account, amount: starting_balance }]
      : type === 'account_merge'
        ? [{ ...native, from: account, to: into, amount: amounts.get(id) }]
        : type === 'invoke_host_function'
          ? (record['asset_balance_changes'] as Fields[])
          : [record];
  return lines.flatMap((line, part) => {
    const asset = assetOf(line, issuer);
    if (asset === undefined) return [];
    const source = { operation: String(id), part, hash: String(transaction_hash) };
    const [from, to] = [String(line['from']), String(line['to'])];
    return [{ ...source, from, to, asset, amount: String(line['amount']) }];
  });
}

function assetOf(line: Fields, issuer: string | undefined): 'USDC' | 'XLM' | undefined {
  if (line['asset_type'] === 'native') return 'XLM';
  const isOurs = line['asset_code'] === 'USDC' && line['asset_issuer'] === issuer;
  return isOurs ? 'USDC' : undefined;
}

/** Without webhooks that went to a test's own URL: the service did not acknowledge those. */
async function readWebhooks(sandbox: string): Promise<ArrivedWebhook[]> {
  const { webhooks } = (await get(sandbox, '/control/webhooks')) as { webhooks: Fields[] };
  return webhooks.flatMap(({ id, status, url, body }) => {
    const provider = /\/api\/v1\/webhooks\/(escrow-provider|payment-provider)$/.exec(String(url));
    if (status !== 'delivered' || provider === null) return [];
    const { eventId, event_id } = JSON.parse(String(body)) as Fields;
    return [
      {
        provider: provider[1] as ArrivedWebhook['provider'],
        event: String(eventId ?? event_id ?? id),
        body: String(body),
      },
    ];
  });
}

interface Seen {
  readonly journal: Journal;
  readonly payments: readonly NetworkPayment[];
  readonly issuer: string | undefined;
}

async function readAtRest(sandbox: string, seen: Seen): Promise<AtRest> {
  const addresses = new Set(seen.payments.flatMap(({ from, to }) => [from, to]));
  const accounts = [...addresses].filter((address) => address.startsWith('G'));
  const held = await inLanes(accounts, (address) => readAccount(sandbox, address, seen.issuer));
  const transactions = await readAll(sandbox, '/transactions');
  const fees = transactions.map(({ fee_account, fee_charged }) => ({
    address: String(fee_account),
    stroops: String(fee_charged),
  }));
  return {
    holdings: [...held.flat(), ...(await readContracts(sandbox, seen.journal))],
    fees,
    provider: await readProvider(sandbox),
  };
}

async function readAccount(
  sandbox: string,
  address: string,
  issuer: string | undefined,
): Promise<Holding[]> {
  const account = await get(sandbox, `/horizon/accounts/${address}`);
  return ((account['balances'] ?? []) as Fields[]).flatMap((line) => {
    const asset = assetOf(line, issuer);
    return asset === undefined ? [] : [{ address, asset, amount: String(line['balance']) }];
  });
}

/** A contract is no account: the escrow provider reads its balance from the network. */
async function readContracts(sandbox: string, journal: Journal): Promise<Holding[]> {
  const deployed = journal.flatMap(({ effect, contractId }) =>
    effect === 'escrow.deploy' && contractId !== undefined ? [contractId] : [],
  );
  const holdings: Holding[] = [];
  for (let at = 0; at < deployed.length; at += CONTRACTS_AT_ONCE) {
    const params = deployed.slice(at, at + CONTRACTS_AT_ONCE).map((id) => `addresses[]=${id}`);
    const path = `/escrow-provider/helper/get-multiple-escrow-balance?${params.join('&')}`;
    const balances = (await get(sandbox, path)) as unknown as Fields[];
    for (const { address, balance } of balances)
      holdings.push({ address: String(address), asset: 'USDC', amount: String(balance) });
  }
  return holdings;
}

async function readProvider(sandbox: string): Promise<AtRest['provider']> {
  const { balance, pending } = await get(sandbox, '/control/payment');
  const page = await get(sandbox, '/payment-provider/v2/deposits');
  const deposits = page['items'] as Fields[];
  const sum = (amounts: readonly unknown[]) =>
    amounts.reduce<bigint>((total, amount) => total + centsOf(String(amount)), 0n);
  return {
    balance: unitsText(sum([balance, pending])),
    deposited: unitsText(sum(deposits.map(({ amount }) => amount))),
  };
}

function centsOf(text: string): bigint {
  const [whole = '', part = ''] = text.split('.');
  return BigInt(whole + part.padEnd(2, '0'));
}

function unitsText(cents: bigint): string {
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
}

async function inLanes<T, R>(things: readonly T[], work: (thing: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = things.entries();
  const run = async () => {
    for (const [at, thing] of waiting) results[at] = await work(thing);
  };
  await Promise.all(Array.from({ length: LANES }, run));
  return results;
}

function recordsOf(page: Fields): Fields[] {
  return (page['_embedded'] as { records: Fields[] }).records;
}

/** The sandbox accepts any key. */
const KEYS = { 'x-api-key': 'auditor', authorization: `Basic ${btoa('auditor:auditor')}` };

async function get(sandbox: string, path: string): Promise<Fields> {
  const response = await fetch(`${sandbox}${path}`, { headers: KEYS });
  // An account that was merged or never created holds nothing.
  if (response.status === 404 && path.startsWith('/horizon/accounts/')) return {};
  if (!response.ok) throw new Error(`the sandbox returned ${response.status} to ${path}`);
  return (await response.json()) as Fields;
}
