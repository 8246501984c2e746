//! All settings, one row each. `.env.example` and the reference page are generated from it.
import {
  APPROVAL_LIMIT,
  EVENT_RETENTION_DAYS,
  RATE_LIMITS,
  STREAMS_PER_KEY_MAX,
} from '@holdfast/contract/limits';
import { Money } from '@holdfast/kernel/money';

export type Environment = 'development' | 'production';

export type Process = 'api' | 'worker' | 'migrate' | 'rotate-wallet-keys';

/** `Certain` when it has a value in every configuration that passes the checks. */
export interface Setting<T, Certain extends boolean = boolean> {
  /** One sentence for the operator. */
  readonly description: string;
  readonly read: (text: string) => T | undefined;
  /** Reported when `read` finds nothing. */
  readonly expects: string;
  readonly defaultIn: Readonly<Record<Environment, T | undefined>>;
  readonly requiredIn: readonly Environment[];
  readonly secret?: true;
  /** Required in these alone; production refuses a secret in any other. Without it: in all. */
  readonly readBy?: readonly Process[];
  /** Returns why a readable value is still not allowed here, as a phrase after the name. */
  readonly rule?: (text: string, environment: Environment) => string | undefined;
  readonly isCertain: Certain;
}

type Row<T> = Pick<Setting<T>, 'description' | 'read' | 'expects' | 'secret' | 'readBy' | 'rule'>;

const NOTHING = { development: undefined, production: undefined };

function required<T>(row: Row<T>): Setting<T, true> {
  return { ...row, defaultIn: NOTHING, requiredIn: ['development', 'production'], isCertain: true };
}

/** Has a value in these processes only. */
function requiredBy<T>(readBy: readonly Process[], row: Row<T>): Setting<T, false> {
  return { ...optional(row, ['development', 'production']), readBy };
}

function withDefault<T>(
  value: T | Readonly<Record<Environment, T>>,
  row: Row<T>,
): Setting<T, true> {
  const isPerEnvironment = value !== null && typeof value === 'object' && 'production' in value;
  const defaultIn = isPerEnvironment ? value : { development: value as T, production: value as T };
  return { ...row, defaultIn, requiredIn: [], isCertain: true };
}

/** Has a default in development, and none anywhere else. */
function inDevelopment<T>(value: T, row: Row<T>): Setting<T, false> {
  return { ...optional(row), defaultIn: { development: value, production: undefined } };
}

/** Has a default in production, and none anywhere else. */
function inProduction<T>(value: T, row: Row<T>): Setting<T, false> {
  return { ...optional(row), defaultIn: { development: undefined, production: value } };
}

/** Has a default in development; production requires a value, in the processes that read it. */
function requiredInProduction<T>(value: T, row: Row<T>): Setting<T, false> {
  return { ...inDevelopment(value, row), requiredIn: ['production'] };
}

function optional<T>(row: Row<T>, requiredIn: readonly Environment[] = []): Setting<T, false> {
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

const share = (value: string) => (/^(0(\.\d+)?|1(\.0+)?)$/.test(value) ? Number(value) : undefined);
const listOf = (read: (value: string) => string | undefined) => (value: string) => {
  const items = value.split(',').map(read);
  return items.every((item) => item !== undefined) ? items : undefined;
};

const anyNumber = whole(1, 10_000_000);

/** More than `keepalive_timeout` in deploy/nginx, after which nginx leaves an idle connection. */
export const CLIENTS_LEAVE_MS = 3000;
/** An API server closes its port once no connection waits, or after this. */
export const PORT_CLOSES_MS = 1000;

export const SERVING: readonly Process[] = ['api', 'worker'];
const OF_OWNER: readonly Process[] = ['migrate', 'rotate-wallet-keys'];
const OF_WALLETS: readonly Process[] = ['worker', 'rotate-wallet-keys'];

const payoutLimit = (description: string) =>
  requiredInProduction<bigint | null>(null, {
    description: `${description} \`none\` in development only.`,
    read: amountOrNone,
    expects: 'an amount, 0 or none',
    readBy: ['api'],
  });

/** Publicly known: production refuses it. */
const DEVELOPMENT_KEYS = 'dev:QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVowMTIzNDU=';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const settings = {
  NODE_ENV: withDefault<Environment>('production', { description: 'Environment. Production refuses shortcuts that development allows.', read: choice('development', 'production'), expects: 'development or production' }),
  DATABASE_URL: required({ description: 'URL of the PostgreSQL database, with the login of the process: holdfast_api for the API server, holdfast_worker for the worker (or a role that can switch to it, see HOLDFAST_DATABASE_ROLE). Of several hosts, as in `postgres://user@first:5432,second:5432/name`, the one that takes writes is used.', read: text, expects: 'a postgres:// URL', secret: true }),
  HOLDFAST_DATABASE_ROLE: optional({ description: 'Role to switch to after connecting, if DATABASE_URL uses another role. Development only.', read: like(/^[a-z_]{1,40}$/), expects: 'a role name',
    rule: (_, environment) => environment === 'production' ? 'is not allowed in production, because a session can switch back; connect as holdfast_api or holdfast_worker in DATABASE_URL instead' : undefined }),
  HOLDFAST_MIGRATION_DATABASE_URL: optional({ description: 'URL of the PostgreSQL database, with the role that owns the tables; used by `holdfast migrate`, `holdfast verify` and the rotation of wallet keys. Default: DATABASE_URL.', read: text, expects: 'a postgres:// URL', secret: true, readBy: OF_OWNER }),
  HOLDFAST_DURABILITY: withDefault<'standby' | 'archive' | 'none'>({ development: 'none', production: 'standby' }, { description: 'What still has an acknowledged write when the server of the database is lost, demanded at the start: `standby`, a synchronous standby; `archive`, an archive of the log that is at most 30 seconds behind. A wallet is handed out once its seed is there. `none` in development only.', read: choice('standby', 'archive', 'none'), expects: 'standby, archive or none', readBy: SERVING,
    rule: (value, environment) => value === 'none' && environment === 'production' ? 'must not be none in production: use standby, or archive if you have no standby' : undefined }),
  REDIS_URL: optional({ description: 'Redis or Valkey for shared rate limits and notifications of the event stream. Without it, each process counts separately, and PostgreSQL sends the notifications.', read: text, expects: 'a redis:// URL', secret: true, readBy: SERVING }),

  HOLDFAST_HOST: withDefault('127.0.0.1', { description: 'Address to listen on.', read: text, expects: 'an address' }),
  HOLDFAST_PORT: withDefault(4400, { description: 'Port to listen on; 0 selects a free port.', read: whole(0, 65_535), expects: 'a port' }),
  HOLDFAST_DOCS_FOLDER: optional({ description: 'Folder of the built documentation site, served at /docs. Default: the folder in the package.', read: text, expects: 'a folder' }),
  HOLDFAST_CONSOLE_FOLDER: optional({ description: 'Folder of the built console, served at /console. Default: the folder in the package.', read: text, expects: 'a folder' }),
  HOLDFAST_INTERNAL_HOST: withDefault('127.0.0.1', { description: 'Address of the internal port; an address of every interface where probes and Prometheus come from another host.', read: text, expects: 'an address' }),
  HOLDFAST_INTERNAL_PORT: inProduction(4401, { description: 'Port of /live, /ready, /started and /metrics, in every process; 0 selects a free port. It belongs on no public network. Not set in development: disabled.', read: whole(0, 65_535), expects: 'a port' }),
  HOLDFAST_DASHBOARD_URL: optional({ description: 'URL of the dashboards, such as those of deploy/grafana; the System page of the console links it.', read: like(/^https?:\/\/\S+$/), expects: 'a URL', readBy: ['api'] }),
  HOLDFAST_CELL: withDefault('c1', { description: 'Name of this cell (one PostgreSQL primary with its processes); part of each API key created in the cell.', read: like(/^[a-z0-9]{1,8}$/), expects: 'one to eight lower-case letters or digits' }),

  HOLDFAST_MASTER_KEY_HASH: requiredBy(['api'], { description: 'SHA-256 of the master key, in hex. The key itself is never configured.', read: like(/^[0-9a-f]{64}$/), expects: '64 hex digits', secret: true }),
  HOLDFAST_TOKEN_SECRET: requiredBy(['api'], { description: 'Signs short-lived tokens. A change invalidates all tokens.', read: like(/^.{32,}$/), expects: 'at least 32 characters', secret: true }),
  PAYMENT_WEBHOOK_SECRET: optional<readonly string[]>({ description: 'Signing secret of the webhooks from the payment provider; several secrets, comma-separated, during a rotation. Optional in development: without it, signatures are not verified.', read: listOf(like(/^(whsec_)?[\w+/=-]{8,}$/)), expects: 'a secret in base64', secret: true, readBy: ['api'] }, ['production']),
  ESCROW_WEBHOOK_SECRET: optional({ description: 'Signing secret of the webhooks from the escrow provider.', read: like(/^whsec_.{8,}$/), expects: 'whsec_ and a secret', secret: true, readBy: ['api'] }, ['production']),

  HOLDFAST_COMPAT: optional({ description: '`observed` allows order, escrow and resolution routes without a key, for clients written for a service without keys. Such requests use HOLDFAST_COMPAT_KEY.', read: choice('observed'), expects: 'observed, or not set',
    rule: (_, environment) => environment === 'production' ? 'is not allowed in production: these routes require an API key there' : undefined }),
  HOLDFAST_COMPAT_KEY: optional({ description: 'With HOLDFAST_COMPAT, the API key of requests that have none. Without it, these routes require a key.', read: like(/^[\w-]{20,}$/), expects: 'an API key', secret: true, readBy: ['api'] }),
  HOLDFAST_SURFACE_B_MARKETPLACE: optional({ description: 'The marketplace of the members of Surface B, the API for members. Without it, Surface B is disabled.', read: like(/^mkt_[0-9a-z]{20,32}$/), expects: 'a mkt_ id' }),
  HOLDFAST_MEMBER_TOKEN_SECRET: optional({ description: 'Signs the tokens of Surface B members. Required with HOLDFAST_SURFACE_B_MARKETPLACE; must differ from HOLDFAST_TOKEN_SECRET.', read: like(/^.{32,}$/), expects: 'at least 32 characters', secret: true, readBy: ['api'] }),
  HOLDFAST_LOGIN_ATTEMPTS: withDefault(10, { description: 'Maximum number of login attempts in 60 seconds per account and IP address, and from all unknown devices together per account; ten times as many per IP address. A device that has signed in to the account within 90 days has a count of its own.', read: anyNumber, expects: 'a number' }),
  HOLDFAST_SIGN_INS_PER_ADDRESS: withDefault({ development: 32, production: 4 }, { description: 'Maximum number of logins and registrations of one IP address that wait for their password to be hashed; more are refused with 503.', read: whole(1, 32), expects: '1 to 32' }),
  HOLDFAST_PASSWORD_RULES: withDefault<'basic' | 'strict'>({ development: 'basic', production: 'strict' }, { description: 'Rules for new passwords of members and operators. `strict`: at least 12 characters, and none of the passwords that attackers try first. `basic`, in development only: 8 characters for members.', read: choice('basic', 'strict'), expects: 'basic or strict',
    rule: (value, environment) => value === 'basic' && environment === 'production' ? 'must be strict in production' : undefined }),
  HOLDFAST_REGISTRATIONS_PER_ADDRESS: withDefault<number | 'off'>({ development: 'off', production: 5 }, { description: 'Registrations of members per IP address (IPv6: /64 network) and hour.', read: offOr(anyNumber), expects: 'a number or off' }),
  HOLDFAST_REGISTRATIONS_PER_HOUR: withDefault<number | 'off'>({ development: 'off', production: 200 }, { description: 'Registrations of members per hour, from all addresses together.', read: offOr(anyNumber), expects: 'a number or off' }),
  HOLDFAST_OPERATOR_KEYS: inDevelopment(DEVELOPMENT_KEYS, { description: 'Key-encryption keys of the two-factor secrets of operators: `v2:base64,v1:base64`, 32 bytes each; the first key encrypts, the others only decrypt. Without it, no operator can sign in. Development has a public default key.', read: like(/^[\w-]+:[A-Za-z0-9+/]{43}=(,[\w-]+:[A-Za-z0-9+/]{43}=)*$/), expects: 'a list of `version:key` pairs; each key is 32 bytes in base64', secret: true, readBy: ['api'] }),
  HOLDFAST_APPROVAL_LIMIT: withDefault<bigint | null>(Money.read(APPROVAL_LIMIT, 'USD')?.minor ?? 0n, { description: 'Above this amount, in any currency, dispute decisions, releases, refunds and withdrawals by an operator need a second approver; adjustments always need one. What an operator has decided alone in 24 hours counts together, and so does what operators have decided alone for one user. `none`, in development only, disables this limit.', read: amountOrNone, expects: 'an amount, 0 or none' }),
  HOLDFAST_ADJUSTMENT_LIMIT: withDefault<bigint | null>({ development: null, production: 0n }, { description: 'Maximum of manual credits minus manual debits per marketplace, unless a platform admin has set a limit for the marketplace. `none` in development only.', read: amountOrNone, expects: 'an amount, 0 or none' }),
  HOLDFAST_TREASURY_SHARE: withDefault<bigint | null>({ development: null, production: 0n }, { description: 'Maximum amount of each asset from the treasury that the addresses of a marketplace may hold, unless a platform admin has set a share for the marketplace. `none` in development only.', read: amountOrNone, expects: 'an amount, 0 or none' }),

  HOLDFAST_DESTINATION_COOLING_HOURS: withDefault({ development: 0, production: 24 }, { description: 'Hours that a destination has to wait after its first withdrawal for a user was created, before a withdrawal to it can be committed; 50.00 USD and 100.00 XLM per user and 24 hours may go to such destinations. 0, in development only, disables the wait.', read: whole(0, 720), expects: '0 to 720 hours',
    rule: (value, environment) => Number(value) === 0 && environment === 'production' ? 'must be at least 1 in production' : undefined }),
  HOLDFAST_USER_PAYOUT_LIMIT: payoutLimit('Maximum that one user can withdraw in 24 hours, in dollars: USD and USDC count together. More needs two operators.'),
  HOLDFAST_USER_PAYOUT_LIMIT_XLM: payoutLimit('Maximum that one user can withdraw in 24 hours, in XLM. More needs two operators.'),
  HOLDFAST_MARKETPLACE_PAYOUT_LIMIT: payoutLimit('Maximum that all users of one marketplace can withdraw in 24 hours, in dollars: USD and USDC count together. More needs two operators.'),
  HOLDFAST_MARKETPLACE_PAYOUT_LIMIT_XLM: payoutLimit('Maximum that all users of one marketplace can withdraw in 24 hours, in XLM. More needs two operators.'),

  HOLDFAST_AUDIT_EXPORT: optional({ description: 'Where the worker archives the hashes of the audit chains every minute: `file:` and the path of an existing folder. Requires HOLDFAST_AUDIT_SIGNING_KEY.', read: like(/^file:\/./), expects: '`file:` and an absolute path', readBy: ['worker'] }),
  HOLDFAST_AUDIT_SIGNING_KEY: optional({ description: 'Ed25519 key that signs the heads of the audit archive: PKCS #8 (DER) in base64. Required with HOLDFAST_AUDIT_EXPORT.', read: like(/^MC4CAQAwBQYDK2VwBCIEI[A-Za-z0-9+/]{43}$/), expects: 'an Ed25519 private key as PKCS #8 in base64', secret: true, readBy: ['worker'] }),
  HOLDFAST_HOUSE_MARKETPLACE: optional({ description: "The marketplace of the deployment owner: its reconciliation runs also cover the treasury, the payment provider's balance and unmatched records. Default: HOLDFAST_SURFACE_B_MARKETPLACE, or the only marketplace.", read: like(/^mkt_[0-9a-z]{20,32}$/), expects: 'a mkt_ id' }),
  HOLDFAST_RECONCILIATION_MINUTES: withDefault<number | 'off'>({ development: 'off', production: 60 }, { description: 'Interval of automatic reconciliation per marketplace.', read: offOr(whole(1, 10_080)), expects: 'minutes or off' }),
  HOLDFAST_RECONCILIATION_DAYS: withDefault(35, { description: 'Days of payment provider records that a run compares.', read: whole(1, 3650), expects: 'days' }),
  HOLDFAST_SOLVENCY_TOLERANCE: withDefault(0n, { description: 'Difference between assets and liabilities, in units of the asset, up to which payouts are not paused.', read: (value) => amountOrNone(value) ?? undefined, expects: 'an amount or 0' }),
  HOLDFAST_SOLVENCY_ADDRESSES: withDefault(50, { description: 'Number of addresses whose balances each solvency reading fetches from the Stellar network, in rotation; for the others, it uses the balances that Holdfast expects.', read: whole(0, 10_000), expects: '0 to 10000' }),

  HOLDFAST_SANDBOX_URL: optional({ description: 'URL of the sandbox, which also provides the clock. Development only.', read: like(/^http:\/\/\S+$/), expects: 'a URL',
    rule: (_, environment) => environment === 'production' ? 'is not allowed in production: the sandbox clock is for development only' : undefined }),
  HOLDFAST_HORIZON_URL: optional({ description: 'URL of a Horizon server of the Stellar network. Without it, there are no wallets, escrows or deposits.', read: like(/^https?:\/\/\S+$/), expects: 'a URL' }),
  HOLDFAST_RPC_URL: optional({ description: 'URL of an RPC node of the Stellar network, which returns the contract id of a deployed escrow. Without it, no escrow can be created.', read: like(/^https?:\/\/\S+$/), expects: 'a URL' }),
  HOLDFAST_NETWORK_PASSPHRASE: optional({ description: 'Identifies the Stellar network (public or test); a signature is valid on one network only.', read: text, expects: 'a passphrase' }),
  HOLDFAST_USDC_ISSUER: optional({ description: 'Issuer of the accepted USDC; anyone can issue an asset with that name.', read: like(/^G[A-Z2-7]{55}$/), expects: 'an address' }),
  HOLDFAST_WALLET_KEYS: optional({ description: 'Key-encryption keys of wallet seeds: `v2:base64,v1:base64`, 32 bytes each; the first key encrypts, the others only decrypt.', read: like(/^[\w-]+:[A-Za-z0-9+/]{43}=(,[\w-]+:[A-Za-z0-9+/]{43}=)*$/), expects: 'a list of `version:key` pairs; each key is 32 bytes in base64', secret: true, readBy: OF_WALLETS }),
  HOLDFAST_SPARE_WALLETS: withDefault({ development: 100, production: 20 }, { description: 'Number of wallets to create in advance, so that a new user has an address immediately; each wallet ties up a reserve from the treasury. With 0, each wallet is created after its user.', read: whole(0, 10_000), expects: '0 to 10000' }),
  HOLDFAST_WALLETS_PER_DAY: withDefault<number | 'off'>({ development: 'off', production: 1000 }, { description: 'Number of wallets in 24 hours, those of users included, above which no more are created in advance. Set it to what your growth needs.', read: offOr(anyNumber), expects: 'a number or off' }),
  HOLDFAST_TREASURY_XLM_FLOOR: withDefault<number | 'off'>({ development: 'off', production: 50 }, { description: 'XLM that the treasury must have left to spend: no wallet is created in advance that would leave less. Set it to what network fees and withdrawals need.', read: offOr(whole(0, 1_000_000_000)), expects: 'a whole number of XLM or off' }),
  HOLDFAST_DEPOSIT_POLL_MS: withDefault({ development: 500, production: 2000 }, { description: 'Interval at which the worker polls the network for deposits.', read: whole(50, 60_000), expects: 'milliseconds' }),
  HOLDFAST_SYNC_LIMIT: withDefault('100.00', { description: 'Largest difference between books and network that a balance sync posts to the suspense account, in units of the asset; a larger difference is only reported and escalated.', read: (value) => (typeof amountOrNone(value) === 'bigint' ? value : undefined), expects: 'an amount or 0' }),
  HOLDFAST_ESCROW_PROVIDER_URL: optional({ description: 'URL of the escrow provider.', read: like(/^https?:\/\/\S+$/), expects: 'a URL' }),
  HOLDFAST_ESCROW_PROVIDER_KEY: optional({ description: 'API key for the escrow provider.', read: text, expects: 'a key', secret: true, readBy: SERVING }),
  HOLDFAST_ESCROW_PROVIDER_PER_MINUTE: withDefault<number | 'off'>({ development: 'off', production: 45 }, { description: 'Maximum number of requests to the escrow provider per minute; set it below the limit of the provider.', read: offOr(anyNumber), expects: 'a number or off' }),
  HOLDFAST_ESCROW_FACTORY: optional({ description: 'The contract that deploys escrows; Holdfast does not sign deployments by other contracts.', read: like(/^C[A-Z2-7]{55}$/), expects: 'a contract id' }),
  HOLDFAST_ESCROW_WASM_SINGLE: optional({ description: 'Hash of the code of a single-release escrow.', read: like(/^[0-9a-f]{64}$/), expects: '64 hex digits' }),
  HOLDFAST_ESCROW_WASM_MULTI: optional({ description: 'Hash of the code of a multi-release escrow.', read: like(/^[0-9a-f]{64}$/), expects: '64 hex digits' }),
  HOLDFAST_ESCROW_PROVIDER_FEE_ADDRESS: optional({ description: 'The address that receives the fee of the escrow provider.', read: like(/^G[A-Z2-7]{55}$/), expects: 'an address' }),
  HOLDFAST_PAYMENT_PROVIDER_URL: optional({ description: 'URL of the payment provider.', read: like(/^https?:\/\/\S+$/), expects: 'a URL' }),
  HOLDFAST_PAYMENT_PROVIDER_KEY: optional({ description: 'API key for the payment provider.', read: text, expects: 'a key', secret: true, readBy: SERVING }),
  HOLDFAST_PAYMENT_PROVIDER_SECRET: optional({ description: 'The secret of HOLDFAST_PAYMENT_PROVIDER_KEY.', read: text, expects: 'a secret', secret: true, readBy: SERVING }),
  HOLDFAST_PAYMENT_PROVIDER_PER_MINUTE: withDefault<number | 'off'>({ development: 'off', production: 540 }, { description: 'Maximum number of requests to the payment provider per minute; set it below the limit of the provider.', read: offOr(anyNumber), expects: 'a number or off' }),
  HOLDFAST_PUBLIC_URL: optional({ description: 'Public URL of this service: payers return there from the payment page.', read: like(/^https?:\/\/[^\s/]+(\/\S*[^\s/])?$/), expects: 'a URL without a trailing slash',
    readBy: SERVING }, ['production']),
  HOLDFAST_PAYIN_REVERSED_STATUSES: withDefault<readonly string[]>({ development: ['REVERSED'], production: [] }, { description: 'Statuses of the payment provider, comma-separated and in capitals, that mean that the bank of the payer took a pay-in back. The provider documents none; without a status, reversals show up as reconciliation exceptions.', read: listOf(like(/^[A-Z_]+$/)), expects: 'statuses in capitals' }),
  HOLDFAST_RETURN_HOSTS: withDefault<readonly string[]>({ development: ['localhost', '127.0.0.1'], production: [] }, { description: 'Allowed hosts of the returnUrl and cancelUrl of a top-up, comma-separated; `*.` matches all subdomains. Without a host, a top-up can have neither.', read: listOf(like(/^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*$/)), expects: 'lower-case host names' }),
  HOLDFAST_RETURN_URL: optional({ description: 'Return URL of payers if the top-up has no returnUrl. Default: HOLDFAST_PUBLIC_URL.', read: like(/^https?:\/\/\S+$/), expects: 'a URL' }),
  HOLDFAST_CHECKOUT_URL: optional({ description: "URL of the payment provider's payment page, with `{id}` in place of the pay-in id.", read: like(/^https?:\/\/\S*\{id\}\S*$/), expects: 'a URL with {id}' }),

  HOLDFAST_ENGINE_INGRESS_URL: optional({ description: 'URL of the Restate ingress. Without it, every call that starts an operation returns ENGINE_UNAVAILABLE, and no webhooks are sent.', read: like(/^https?:\/\/\S*[^\s/]$/), expects: 'a URL without a trailing slash' }),
  HOLDFAST_ENGINE_ADMIN_URL: optional({ description: 'URL of the Restate admin interface, where workers register. Required for workers.', read: like(/^https?:\/\/\S*[^\s/]$/), expects: 'a URL without a trailing slash' }),
  HOLDFAST_ENGINE_PORT: withDefault(0, { description: 'Port for calls from Restate to a worker. Workers on the same machine share a port; 0 selects a free port, for a single worker.', read: whole(0, 65_535), expects: 'a port' }),
  HOLDFAST_ENGINE_WORKER_URL: optional({ description: 'URL at which Restate calls the workers. Restate uses one URL for all workers; with several workers on different machines, use a load balancer. Default: HOLDFAST_ENGINE_PORT on HOLDFAST_HOST.', read: like(/^https?:\/\/\S+$/), expects: 'a URL' }),
  HOLDFAST_ENGINE_IDENTITY_KEYS: optional({ description: 'Public keys of the Restate instance that may call a worker, comma-separated. Required in production for a worker that is reached at a non-loopback address: without a key, any caller that reaches the port can call the worker.', read: like(/^publickeyv1_\w+(,publickeyv1_\w+)*$/), expects: 'publickeyv1_ keys' }),
  HOLDFAST_REQUEST_DEADLINE: withDefault(30, { description: 'Seconds that a request waits for its operation before PROVIDER_TIMEOUT; the operation continues.', read: whole(1, 600), expects: 'seconds' }),
  HOLDFAST_FAILPOINT: optional({ description: 'For tests: the failpoint at which the process exits, or a folder that contains its name. Development only.', read: like(/^([a-z0-9:-]{1,100}|\/\S{1,200})$/), expects: 'the name of a failpoint, or a folder',
    rule: (_, environment) => environment === 'production' ? 'is not allowed in production: failpoints are for tests only' : undefined }),

  HOLDFAST_RATE_LIMIT: withDefault<number | 'off'>(100, { description: 'Requests per API key, or per IP address without a key, in 60 seconds; `off` for load tests.', read: offOr(anyNumber), expects: 'a number or off',
    rule: (value, environment) => value === 'off' && environment === 'production' ? 'must not be off in production' : undefined }),
  HOLDFAST_MASTER_RATE_LIMIT: withDefault(1000, { description: 'Requests with the master key in 60 seconds.', read: anyNumber, expects: 'a number' }),
  HOLDFAST_OPERATOR_RATE_LIMIT: withDefault<number>(RATE_LIMITS.operators.limit, { description: 'Requests of one operator in 60 seconds.', read: anyNumber, expects: 'a number' }),
  HOLDFAST_WITHDRAWALS_PER_USER: withDefault<number | 'off'>(RATE_LIMITS.withdrawalsPerUser.limit, { description: 'Withdrawals per user in 60 seconds; `off` for load tests.', read: offOr(anyNumber), expects: 'a number or off' }),
  HOLDFAST_WITHDRAWAL_EXPIRY_DAYS: withDefault(7, { description: 'Time after which a withdrawal that was not confirmed is canceled; its amount is available again. A change applies to new withdrawals.', read: whole(1, 365), expects: '1 to 365 days' }),
  HOLDFAST_TOPUPS_PER_USER: withDefault<number | 'off'>(RATE_LIMITS.topupsPerUser.limit, { description: 'Top-ups per user in 60 seconds; `off` for load tests.', read: offOr(anyNumber), expects: 'a number or off' }),
  HOLDFAST_TRUSTED_PROXIES: withDefault(0, { description: 'Number of proxies in front of the API server that add to X-Forwarded-For; with 0, that header is ignored.', read: whole(0, 10), expects: '0 to 10' }),
  HOLDFAST_BODY_BYTES_MAX: withDefault(65_536, { description: 'Maximum size of a request body.', read: whole(1024, 1_048_576), expects: 'bytes' }),
  HOLDFAST_CONNECTIONS_MAX: withDefault(2000, { description: 'Maximum number of open connections per process.', read: anyNumber, expects: 'a number' }),
  HOLDFAST_CONNECTIONS_PER_ADDRESS_MAX: withDefault(500, { description: 'Maximum number of open connections per IP address; a back end that connects from one address needs as many as its connection pool.', read: anyNumber, expects: 'a number' }),

  HOLDFAST_STREAMS_MAX: withDefault(1500, { description: 'Maximum number of open event streams per process.', read: anyNumber, expects: 'a number' }),
  HOLDFAST_STREAMS_PER_KEY: withDefault<number>(STREAMS_PER_KEY_MAX, { description: 'Maximum number of open event streams per API key and process.', read: anyNumber, expects: 'a number' }),
  HOLDFAST_STREAM_STALL_MS: withDefault(10_000, { description: 'Time after which an event stream is closed if its client does not read.', read: whole(100, 600_000), expects: 'milliseconds' }),
  HOLDFAST_EVENT_RETENTION_DAYS: withDefault<number>(EVENT_RETENTION_DAYS, { description: 'Retention of events. Events are deleted by whole months, so some are retained longer.', read: whole(2, 3650), expects: '2 to 3650 days' }),
  HOLDFAST_WEBHOOK_KEYS: optional({ description: 'Key-encryption keys of webhook secrets, for the API server and the workers: `v2:base64,v1:base64`, 32 bytes each; the first key encrypts, the others only decrypt. Without it, no webhook endpoint can be created, and no webhooks are sent.', read: like(/^[\w-]+:[A-Za-z0-9+/]{43}=(,[\w-]+:[A-Za-z0-9+/]{43}=)*$/), expects: 'a list of `version:key` pairs; each key is 32 bytes in base64', secret: true, readBy: SERVING }),
  HOLDFAST_WEBHOOK_LOOPBACK: withDefault<'allow' | 'refuse'>({ development: 'allow', production: 'refuse' }, { description: 'Whether webhooks may be sent to loopback addresses, including over http. `allow` in development only.', read: choice('allow', 'refuse'), expects: 'allow or refuse',
    rule: (value, environment) => value === 'allow' && environment === 'production' ? 'must be refuse in production: webhooks must not reach internal addresses' : undefined }),
  HOLDFAST_WEBHOOK_RETRY_SECONDS: withDefault(259_200, { description: 'Time for which a webhook endpoint may fail before it is paused; its backlog is kept.', read: whole(1, 2_592_000), expects: 'seconds' }),
  HOLDFAST_WEBHOOK_LOG_DAYS: withDefault(14, { description: 'Retention of webhook deliveries.', read: whole(1, 365), expects: '1 to 365 days' }),
  HOLDFAST_REQUEST_LOG_DAYS: withDefault(7, { description: 'Retention of the request log. The audit log is separate.', read: whole(1, 90), expects: '1 to 90 days' }),
  HOLDFAST_SEQUENCER_SHARDS: withDefault(8, { description: 'How many of the eight event log shards (groups of marketplaces) this worker may sequence. A lower number distributes the work; all workers together must cover all eight shards.', read: whole(0, 8), expects: '0 to 8' }),

  HOLDFAST_POOL_SIZE: withDefault(20, { description: 'Database connections for everything except posting to the books.', read: whole(1, 200), expects: 'a number' }),
  HOLDFAST_POOL_WAIT_MS: withDefault(1000, { description: 'Maximum wait for a database connection before the API returns 503.', read: whole(10, 60_000), expects: 'milliseconds' }),
  HOLDFAST_POSTING_CONNECTIONS: withDefault(1, { description: 'Database connections that post to the books; each commit includes many requests.', read: whole(1, 16), expects: '1 to 16' }),
  HOLDFAST_POSTING_BATCH_MAX: withDefault(256, { description: 'Maximum number of requests in one commit.', read: whole(1, 1000), expects: '1 to 1000' }),
  HOLDFAST_POSTING_QUEUE_MAX: withDefault(5000, { description: 'Maximum number of requests that wait to be posted; above it, the API returns 503.', read: anyNumber, expects: 'a number' }),
  HOLDFAST_STATEMENT_TIMEOUT_MS: withDefault(5000, { description: 'Maximum duration of a database statement.', read: whole(100, 600_000), expects: 'milliseconds' }),
  HOLDFAST_LOCK_TIMEOUT_MS: withDefault(2000, { description: 'Maximum wait for a database lock.', read: whole(100, 600_000), expects: 'milliseconds' }),

  HOLDFAST_TRACE_ENDPOINT: optional({ description: 'URL of an OpenTelemetry collector that takes spans over HTTP, such as http://collector:4318/v1/traces. Without it, no spans are recorded.', read: like(/^https?:\/\/\S+$/), expects: 'a URL' }),
  HOLDFAST_TRACE_SHARE: withDefault(0.01, { description: 'Share of the requests whose spans are recorded. A request with a `traceparent` header is recorded if its sampled flag is set.', read: share, expects: 'a number from 0 to 1' }),
  HOLDFAST_TRACE_HOSTS: withDefault<readonly string[]>([], { description: 'Hosts of providers that get the `traceparent` header, comma-separated. The others learn nothing about traces.', read: listOf(like(/^[a-z0-9.-]+$/)), expects: 'lower-case host names' }),

  HOLDFAST_DRAIN_MS: withDefault({ development: 0, production: 5000 }, { description: 'After SIGTERM, time for which a process that is no longer ready still serves, so that load balancers can see it.', read: whole(0, 60_000), expects: 'milliseconds' }),
  HOLDFAST_SHUTDOWN_MS: withDefault({ development: 8000, production: 35_000 }, { description: 'Maximum duration of a graceful shutdown, after HOLDFAST_DRAIN_MS, before a forced exit. In production more than HOLDFAST_REQUEST_DEADLINE plus the 4 seconds in which an API server closes its port and waits for its clients to leave.', read: whole(0, 660_000), expects: 'milliseconds' }),
  HOLDFAST_LOG_LEVEL: withDefault('info', { description: 'Minimum level of log lines.', read: choice('debug', 'info', 'warn', 'error', 'silent'), expects: 'debug, info, warn, error or silent' }),
};
