//! Every setting there is: one row each. `.env.example` and the reference page are generated from
//! it.
import {
  APPROVAL_LIMIT,
  EVENT_RETENTION_DAYS,
  RATE_LIMITS,
  STREAMS_PER_KEY_MAX,
} from '@holdfast/contract/limits';
import { Money } from '@holdfast/kernel/money';

export type Environment = 'development' | 'production';

/** `Certain` when it has a value in every configuration that passes the checks. */
export interface Setting<T, Certain extends boolean = boolean> {
  /** What an operator needs to know, in a sentence. */
  readonly means: string;
  readonly read: (text: string) => T | undefined;
  /** Said when `read` finds nothing. */
  readonly wants: string;
  readonly defaultIn: Readonly<Record<Environment, T | undefined>>;
  readonly requiredIn: readonly Environment[];
  readonly secret?: true;
  /** Says why a value that can be read is still not allowed here. */
  readonly rule?: (text: string, environment: Environment) => string | undefined;
  readonly isCertain: Certain;
}

type Row<T> = Pick<Setting<T>, 'means' | 'read' | 'wants' | 'secret' | 'rule'>;

const NOTHING = { development: undefined, production: undefined };

function required<T>(row: Row<T>): Setting<T, true> {
  return { ...row, defaultIn: NOTHING, requiredIn: ['development', 'production'], isCertain: true };
}

function usually<T>(value: T | Readonly<Record<Environment, T>>, row: Row<T>): Setting<T, true> {
  const isPerEnvironment = value !== null && typeof value === 'object' && 'production' in value;
  const defaultIn = isPerEnvironment ? value : { development: value as T, production: value as T };
  return { ...row, defaultIn, requiredIn: [], isCertain: true };
}

/** Has a value of its own in development, and none anywhere else. */
function inDevelopment<T>(value: T, row: Row<T>): Setting<T, false> {
  return { ...maybe(row), defaultIn: { development: value, production: undefined } };
}

function maybe<T>(row: Row<T>, requiredIn: readonly Environment[] = []): Setting<T, false> {
  return { ...row, defaultIn: NOTHING, requiredIn, isCertain: false };
}

const text = (value: string) => (value === '' ? undefined : value);
const like = (pattern: RegExp) => (value: string) => (pattern.test(value) ? value : undefined);
const whole = (low: number, high: number) => (value: string) => {
  const number = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN;
  return number >= low && number <= high ? number : undefined;
};
const choice =
  <const C extends readonly string[]>(...choices: C) =>
  (value: string): C[number] | undefined =>
    choices.includes(value) ? value : undefined;
const offOr = (read: (value: string) => number | undefined) => (value: string) =>
  value === 'off' ? ('off' as const) : read(value);
const amountOrNone = (value: string) => {
  if (value === 'none') return null;
  return value === '0' ? 0n : Money.read(value, 'USD')?.minor;
};

const listOf = (read: (value: string) => string | undefined) => (value: string) => {
  const items = value.split(',').map(read);
  return items.every((item) => item !== undefined) ? items : undefined;
};

const anyNumber = whole(1, 10_000_000);

/** Everybody knows it: production refuses it. */
const DEVELOPMENT_KEYS = 'dev:QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVowMTIzNDU=';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const settings = {
  NODE_ENV: usually<Environment>('production', { means: 'Where this runs. Production refuses every shortcut that development allows.', read: choice('development', 'production'), wants: 'development or production' }),
  DATABASE_URL: required({ means: 'PostgreSQL, as the role holdfast_app (or one that may take it on, see below).', read: text, wants: 'a postgres:// URL', secret: true }),
  HOLDFAST_DATABASE_ROLE: maybe({ means: 'Role taken on after connecting, when DATABASE_URL logs in as another. Development only.', read: like(/^[a-z_]{1,40}$/), wants: 'a role name',
    rule: (_, environment) => environment === 'production' ? 'log in as holdfast_app itself: a role taken on can be put off again' : undefined }),
  HOLDFAST_MIGRATION_DATABASE_URL: maybe({ means: 'PostgreSQL, as the owner of the tables: for `migrate` only. Default: DATABASE_URL.', read: text, wants: 'a postgres:// URL', secret: true }),
  REDIS_URL: maybe({ means: 'Redis or Valkey for shared rate limits and the bell of the event stream. Without it each process counts for itself and PostgreSQL rings.', read: text, wants: 'a redis:// URL', secret: true }),

  HOLDFAST_HOST: usually('127.0.0.1', { means: 'Address to listen on.', read: text, wants: 'an address' }),
  HOLDFAST_PORT: usually(4400, { means: 'Port to listen on; 0 takes any free one.', read: whole(0, 65_535), wants: 'a port' }),
  HOLDFAST_DOCS_FOLDER: maybe({ means: 'Folder of the built documentation site, served at /docs. Default: the one beside the code.', read: text, wants: 'a folder' }),
  HOLDFAST_CONSOLE_FOLDER: maybe({ means: 'Folder of the built console, served at /console. Default: the one beside the code.', read: text, wants: 'a folder' }),
  HOLDFAST_INTERNAL_PORT: maybe({ means: 'Port for readiness, on loopback only. Off when unset.', read: whole(0, 65_535), wants: 'a port' }),
  HOLDFAST_CELL: usually('c1', { means: 'Name of this cell; stands in the text of every API key made here.', read: like(/^[a-z0-9]{1,8}$/), wants: 'one to eight lower-case letters or digits' }),

  HOLDFAST_MASTER_KEY_HASH: required({ means: 'SHA-256 of the master key, in hex. The key itself is never configured.', read: like(/^[0-9a-f]{64}$/), wants: '64 hex digits', secret: true }),
  HOLDFAST_TOKEN_SECRET: required({ means: 'Signs short-lived tokens. Changing it ends every token at once.', read: like(/^.{32,}$/), wants: 'at least 32 characters', secret: true }),
  PAYMENT_WEBHOOK_SECRET: maybe<readonly string[]>({ means: 'Shared secret of the payment provider; several, comma-separated, while it is changed. Development may go without; nothing is verified then.', read: listOf(like(/^(whsec_)?[\w+/=-]{8,}$/)), wants: 'a secret in base64', secret: true }, ['production']),
  ESCROW_WEBHOOK_SECRET: maybe({ means: 'Shared secret of the escrow provider.', read: like(/^whsec_.{8,}$/), wants: 'whsec_ and a secret', secret: true }, ['production']),

  HOLDFAST_COMPAT: maybe({ means: '`observed` opens order, escrow and resolution routes without a key, as the old service did. Such requests act with HOLDFAST_COMPAT_KEY.', read: choice('observed'), wants: 'observed, or nothing',
    rule: (_, environment) => environment === 'production' ? 'these routes are never open in production' : undefined }),
  HOLDFAST_COMPAT_KEY: maybe({ means: 'The API key that requests without one stand for, with HOLDFAST_COMPAT; without it these routes stay shut.', read: like(/^[\w-]{20,}$/), wants: 'an API key', secret: true }),
  HOLDFAST_SURFACE_B_MARKETPLACE: maybe({ means: 'The marketplace that the members of Surface B belong to.', read: like(/^mkt_[0-9a-z]{20,32}$/), wants: 'a mkt_ id' }),
  HOLDFAST_MEMBER_TOKEN_SECRET: maybe({ means: 'Signs the tokens of Surface B members. Needed with HOLDFAST_SURFACE_B_MARKETPLACE; never the same as HOLDFAST_TOKEN_SECRET.', read: like(/^.{32,}$/), wants: 'at least 32 characters', secret: true }),
  HOLDFAST_LOGIN_ATTEMPTS: usually(10, { means: 'Attempts to log in to one account in 60 seconds, and ten times as many from one address.', read: anyNumber, wants: 'a number' }),
  HOLDFAST_OPERATOR_KEYS: inDevelopment(DEVELOPMENT_KEYS, { means: "Key-encryption keys of operators' secrets for codes: `v2:base64,v1:base64`, 32 bytes each, the first one seals. Without it no operator can sign in. Development has a key of its own that everybody knows.", read: like(/^[\w-]+:[A-Za-z0-9+/]{43}=(,[\w-]+:[A-Za-z0-9+/]{43}=)*$/), wants: 'versions with 32 bytes of base64', secret: true,
    rule: (value, environment) => environment === 'production' && value.includes(DEVELOPMENT_KEYS) ? 'this key stands in the source' : undefined }),
  HOLDFAST_APPROVAL_LIMIT: usually<bigint | null>(Money.read(APPROVAL_LIMIT, 'USD')?.minor ?? 0n, { means: 'Above this amount, in any currency, what an operator decides about money needs a second operator; adjustments always do. `none` asks for nobody else.', read: amountOrNone, wants: 'an amount, 0 or none' }),
  HOLDFAST_ADJUSTMENT_LIMIT: usually<bigint | null>({ development: null, production: 0n }, { means: 'How far a marketplace may credit beyond its debits, unless an operator set its own limit.', read: amountOrNone, wants: 'an amount, 0 or none' }),
  HOLDFAST_TREASURY_SHARE: usually<bigint | null>({ development: null, production: 0n }, { means: "How much of the treasury a marketplace's addresses may hold of each asset, unless an operator set its own share.", read: amountOrNone, wants: 'an amount, 0 or none' }),

  HOLDFAST_HOUSE_MARKETPLACE: maybe({ means: "The operator's own marketplace: its reconciliation runs answer for the treasury, the payment provider's balance and records of nobody. Default: the built-in one, or the only one there is.", read: like(/^mkt_[0-9a-z]{20,32}$/), wants: 'a mkt_ id' }),
  HOLDFAST_RECONCILIATION_MINUTES: usually<number | 'off'>({ development: 'off', production: 60 }, { means: 'How often each marketplace is reconciled by itself.', read: offOr(whole(1, 10_080)), wants: 'minutes or off' }),
  HOLDFAST_RECONCILIATION_DAYS: usually(35, { means: "How far back the payment provider's records are compared with ours.", read: whole(1, 3650), wants: 'days' }),
  HOLDFAST_SOLVENCY_TOLERANCE: usually(0n, { means: 'Difference between what is there and what is owed, in units of the asset, below which payouts are not paused.', read: (value) => amountOrNone(value) ?? undefined, wants: 'an amount or 0' }),
  HOLDFAST_SOLVENCY_ADDRESSES: usually(50, { means: 'Addresses that are read at every reading of solvency, in turn; all others count as the mirror knows them.', read: whole(0, 10_000), wants: '0 to 10000' }),

  HOLDFAST_SANDBOX_URL: maybe({ means: 'The sandbox, whose clock is followed. Development only.', read: like(/^http:\/\/\S+$/), wants: 'a URL',
    rule: (_, environment) => environment === 'production' ? 'time is not pretended in production' : undefined }),
  HOLDFAST_HORIZON_URL: maybe({ means: 'Horizon of the ledger network. Without it there are no wallets, orders or deposits.', read: like(/^https?:\/\/\S+$/), wants: 'a URL' }),
  HOLDFAST_RPC_URL: maybe({ means: 'An RPC node of the ledger network, which tells the contract that a deployment made. Without it no escrow is created.', read: like(/^https?:\/\/\S+$/), wants: 'a URL' }),
  HOLDFAST_NETWORK_PASSPHRASE: maybe({ means: 'Names the ledger network; a signature for one is worthless on another.', read: text, wants: 'a passphrase' }),
  HOLDFAST_USDC_ISSUER: maybe({ means: 'The address that issues the USDC we mean; anyone can issue another.', read: like(/^G[A-Z2-7]{55}$/), wants: 'an address' }),
  HOLDFAST_WALLET_KEYS: maybe({ means: 'Key-encryption keys of wallet seeds: `v2:base64,v1:base64`, 32 bytes each, the first one wraps.', read: like(/^[\w-]+:[A-Za-z0-9+/]{43}=(,[\w-]+:[A-Za-z0-9+/]{43}=)*$/), wants: 'versions with 32 bytes of base64', secret: true }),
  HOLDFAST_SPARE_WALLETS: usually({ development: 100, production: 20 }, { means: 'Finished wallets that wait for their users, so that a user has an address as soon as it exists; each binds reserves of the treasury. 0 makes every wallet after its user.', read: whole(0, 10_000), wants: '0 to 10000' }),
  HOLDFAST_DEPOSIT_POLL_MS: usually({ development: 500, production: 2000 }, { means: "How often the worker looks at the network's payments for deposits.", read: whole(50, 60_000), wants: 'milliseconds' }),
  HOLDFAST_SYNC_LIMIT: usually('100.00', { means: 'Largest difference between books and network that a sync posts against suspense, in units of its asset; a larger one is only reported and raised.', read: (value) => (typeof amountOrNone(value) === 'bigint' ? value : undefined), wants: 'an amount or 0' }),
  HOLDFAST_ESCROW_PROVIDER_URL: maybe({ means: 'The escrow provider.', read: like(/^https?:\/\/\S+$/), wants: 'a URL' }),
  HOLDFAST_ESCROW_PROVIDER_KEY: maybe({ means: 'Our key at the escrow provider.', read: text, wants: 'a key', secret: true }),
  HOLDFAST_ESCROW_PROVIDER_PER_MINUTE: usually<number | 'off'>({ development: 'off', production: 45 }, { means: 'Requests to the escrow provider in a minute, below its own limit.', read: offOr(anyNumber), wants: 'a number or off' }),
  HOLDFAST_ESCROW_FACTORY: maybe({ means: 'The contract that deploys every escrow; the signer signs no other deployment.', read: like(/^C[A-Z2-7]{55}$/), wants: 'a contract id' }),
  HOLDFAST_ESCROW_WASM_SINGLE: maybe({ means: 'Hash of the code of a single-release escrow.', read: like(/^[0-9a-f]{64}$/), wants: '64 hex digits' }),
  HOLDFAST_ESCROW_WASM_MULTI: maybe({ means: 'Hash of the code of a multi-release escrow.', read: like(/^[0-9a-f]{64}$/), wants: '64 hex digits' }),
  HOLDFAST_ESCROW_PROVIDER_FEE_ADDRESS: maybe({ means: "Where the escrow provider's own fee goes.", read: like(/^G[A-Z2-7]{55}$/), wants: 'an address' }),
  HOLDFAST_PAYMENT_PROVIDER_URL: maybe({ means: 'The payment provider.', read: like(/^https?:\/\/\S+$/), wants: 'a URL' }),
  HOLDFAST_PAYMENT_PROVIDER_KEY: maybe({ means: 'Our key at the payment provider.', read: text, wants: 'a key', secret: true }),
  HOLDFAST_PAYMENT_PROVIDER_SECRET: maybe({ means: 'Its secret.', read: text, wants: 'a secret', secret: true }),
  HOLDFAST_PAYMENT_PROVIDER_PER_MINUTE: usually<number | 'off'>({ development: 'off', production: 540 }, { means: 'Requests to the payment provider in a minute, below its own limit.', read: offOr(anyNumber), wants: 'a number or off' }),
  HOLDFAST_PUBLIC_URL: maybe({ means: 'Where this service is reached from outside: payers come back there from the pay page.', read: like(/^https?:\/\/[^\s/]+(\/\S*[^\s/])?$/), wants: 'a URL without a slash at its end',
    rule: (value, environment) => environment === 'production' && !value.startsWith('https:') ? 'payers are sent over https only' : undefined }, ['production']),
  HOLDFAST_RETURN_HOSTS: usually<readonly string[]>({ development: ['localhost', '127.0.0.1'], production: [] }, { means: 'Hosts to which a top-up may send its payer back, comma-separated; `*.` stands for every host below. Without one a top-up names no returnUrl.', read: listOf(like(/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/)), wants: 'lower-case host names' }),
  HOLDFAST_RETURN_URL: maybe({ means: 'Where a payer goes whose top-up names no returnUrl. Default: HOLDFAST_PUBLIC_URL.', read: like(/^https?:\/\/\S+$/), wants: 'a URL' }),
  HOLDFAST_CHECKOUT_URL: maybe({ means: "The payment provider's pay page, with `{id}` for the pay-in.", read: like(/^https?:\/\/\S*\{id\}\S*$/), wants: 'a URL with {id}' }),

  HOLDFAST_ENGINE_INGRESS_URL: maybe({ means: 'Where Restate takes calls. Without it every route that needs a provider answers ENGINE_UNAVAILABLE.', read: like(/^https?:\/\/\S*[^\s/]$/), wants: 'a URL without a slash at its end' }),
  HOLDFAST_ENGINE_ADMIN_URL: maybe({ means: "Restate's admin interface, where workers say where they are. Needed by workers.", read: like(/^https?:\/\/\S*[^\s/]$/), wants: 'a URL without a slash at its end' }),
  HOLDFAST_ENGINE_PORT: usually(0, { means: 'Port at which a worker takes calls from Restate. Workers on one machine share one; 0 takes any free one, for a worker that is alone.', read: whole(0, 65_535), wants: 'a port' }),
  HOLDFAST_ENGINE_WORKER_URL: maybe({ means: 'Where Restate finds the workers: a balancer before them. Restate knows one address for all. Default: that port on HOLDFAST_HOST.', read: like(/^https?:\/\/\S+$/), wants: 'a URL' }),
  HOLDFAST_ENGINE_IDENTITY_KEYS: maybe({ means: 'Public keys of the Restate that may call a worker, comma-separated. Without one anyone may who reaches the port.', read: like(/^publickeyv1_\w+(,publickeyv1_\w+)*$/), wants: 'publickeyv1_ keys' }),
  HOLDFAST_REQUEST_DEADLINE: usually(30, { means: 'Seconds that a request waits for its operation before PROVIDER_TIMEOUT; the operation goes on.', read: whole(1, 600), wants: 'seconds' }),
  HOLDFAST_FAILPOINT: maybe({ means: 'A named place at which the process kills itself, or a folder that says where, for tests. Development only.', read: like(/^([a-z0-9:-]{1,100}|\/\S{1,200})$/), wants: 'the name of a place or a folder',
    rule: (_, environment) => environment === 'production' ? 'nothing dies on purpose in production' : undefined }),

  HOLDFAST_RATE_LIMIT: usually<number | 'off'>(100, { means: 'Requests per API key, or per address without a key, in 60 seconds; off for load tests.', read: offOr(anyNumber), wants: 'a number or off',
    rule: (value, environment) => value === 'off' && environment === 'production' ? 'a limit is needed in production' : undefined }),
  HOLDFAST_MASTER_RATE_LIMIT: usually(1000, { means: 'Requests with the master key in 60 seconds.', read: anyNumber, wants: 'a number' }),
  HOLDFAST_OPERATOR_RATE_LIMIT: usually<number>(RATE_LIMITS.operators.limit, { means: 'Requests of one operator in 60 seconds.', read: anyNumber, wants: 'a number' }),
  HOLDFAST_WITHDRAWALS_PER_USER: usually<number | 'off'>(RATE_LIMITS.withdrawalsPerUser.limit, { means: 'Withdrawals that may be asked for per user in 60 seconds; off for load tests.', read: offOr(anyNumber), wants: 'a number or off' }),
  HOLDFAST_TOPUPS_PER_USER: usually<number | 'off'>(RATE_LIMITS.topupsPerUser.limit, { means: 'Top-ups that may be asked for per user in 60 seconds; off for load tests.', read: offOr(anyNumber), wants: 'a number or off' }),
  HOLDFAST_TRUSTED_PROXIES: usually(0, { means: 'How many proxies in front add to X-Forwarded-For; 0 ignores that header.', read: whole(0, 10), wants: '0 to 10' }),
  HOLDFAST_BODY_BYTES_MAX: usually(65_536, { means: 'Largest request body.', read: whole(1024, 1_048_576), wants: 'bytes' }),
  HOLDFAST_CONNECTIONS_MAX: usually(2000, { means: 'Open connections per process.', read: anyNumber, wants: 'a number' }),
  HOLDFAST_CONNECTIONS_PER_ADDRESS_MAX: usually(500, { means: 'Open connections from one address; a back end behind one address needs its whole pool.', read: anyNumber, wants: 'a number' }),

  HOLDFAST_STREAMS_MAX: usually(1500, { means: 'Open event streams per process.', read: anyNumber, wants: 'a number' }),
  HOLDFAST_STREAMS_PER_KEY: usually<number>(STREAMS_PER_KEY_MAX, { means: 'Open event streams per API key and process.', read: anyNumber, wants: 'a number' }),
  HOLDFAST_STREAM_STALL_MS: usually(10_000, { means: 'How long a stream may take nothing before it is cut.', read: whole(100, 600_000), wants: 'milliseconds' }),
  HOLDFAST_EVENT_RETENTION_DAYS: usually<number>(EVENT_RETENTION_DAYS, { means: 'How far back events can be replayed. Whole months are dropped, so some stay longer.', read: whole(2, 3650), wants: '2 to 3650 days' }),
  HOLDFAST_WEBHOOK_KEYS: maybe({ means: 'Key-encryption keys of webhook secrets, for api and worker: `v2:base64,v1:base64`, 32 bytes each, the first one wraps. Without one no webhook endpoint can be made, and none is sent to.', read: like(/^[\w-]+:[A-Za-z0-9+/]{43}=(,[\w-]+:[A-Za-z0-9+/]{43}=)*$/), wants: 'versions with 32 bytes of base64', secret: true }),
  HOLDFAST_WEBHOOK_LOOPBACK: usually<'allow' | 'refuse'>({ development: 'allow', production: 'refuse' }, { means: 'Whether webhooks may go to this machine itself, also over http. Development only.', read: choice('allow', 'refuse'), wants: 'allow or refuse',
    rule: (value, environment) => value === 'allow' && environment === 'production' ? 'nothing inside is reached from outside' : undefined }),
  HOLDFAST_WEBHOOK_RETRY_SECONDS: usually(259_200, { means: 'How long a webhook endpoint may keep failing before it is paused, with its backlog kept.', read: whole(1, 2_592_000), wants: 'seconds' }),
  HOLDFAST_WEBHOOK_LOG_DAYS: usually(14, { means: 'How long it can be read what was sent to webhook endpoints.', read: whole(1, 365), wants: '1 to 365 days' }),
  HOLDFAST_REQUEST_LOG_DAYS: usually(7, { means: 'How many days the log of requests reaches back. It is for people who look; the audit keeps what counts.', read: whole(1, 90), wants: '1 to 90 days' }),
  HOLDFAST_SEQUENCER_SHARDS: usually(8, { means: 'Of the eight shards of marketplaces, how many this worker gives events their place in at most. Less shares the work; all workers together must cover eight.', read: whole(0, 8), wants: '0 to 8' }),

  HOLDFAST_POOL_SIZE: usually(20, { means: 'Database connections for everything but posting.', read: whole(1, 200), wants: 'a number' }),
  HOLDFAST_POOL_WAIT_MS: usually(1000, { means: 'Longest wait for one of them before 503.', read: whole(10, 60_000), wants: 'milliseconds' }),
  HOLDFAST_POSTING_CONNECTIONS: usually(1, { means: 'Database connections that post to the books; each carries many requests in one commit.', read: whole(1, 16), wants: '1 to 16' }),
  HOLDFAST_POSTING_BATCH_MAX: usually(256, { means: 'Most requests in one commit.', read: whole(1, 1000), wants: '1 to 1000' }),
  HOLDFAST_POSTING_QUEUE_MAX: usually(5000, { means: 'Most requests waiting to be posted before 503.', read: anyNumber, wants: 'a number' }),
  HOLDFAST_STATEMENT_TIMEOUT_MS: usually(5000, { means: 'Longest database statement.', read: whole(100, 600_000), wants: 'milliseconds' }),
  HOLDFAST_LOCK_TIMEOUT_MS: usually(2000, { means: 'Longest wait for a database lock.', read: whole(100, 600_000), wants: 'milliseconds' }),

  HOLDFAST_SHUTDOWN_MS: usually(8000, { means: 'Longest graceful shutdown before a hard exit.', read: whole(0, 60_000), wants: 'milliseconds' }),
  HOLDFAST_LOG_LEVEL: usually('info', { means: 'Least severe log line written.', read: choice('debug', 'info', 'warn', 'error', 'silent'), wants: 'a level' }),
};
