//! The whole set on loopback: a database, migrations, api and worker processes, a first
//! marketplace.
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { newId } from '@holdfast/kernel/ids';
import { randomBytes } from '@holdfast/kernel/random';
import { asAdmin, databaseUrl, findPostgres } from './local-postgres.ts';
import { engineEnvironment, freePorts, type LocalRestate, startRestate } from './local-restate.ts';
import { fundHouse, type SandboxFacts, sandboxEnvironment, sendWebhooks } from './local-world.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

export type { ServerProcess } from './server-process.ts';

export interface LocalSetOptions {
  /** Of the first api process; 0 takes any free one. */
  readonly port?: number;
  /** Settings beyond the set's own. */
  readonly env?: Record<string, string>;
  readonly apis?: number;
  readonly worker?: boolean;
  /** How many, unless `worker` says none. */
  readonly workers?: number;
  /** The pretend world outside; on unless told otherwise. */
  readonly sandbox?: boolean;
  /** Restate; on when the sandbox is, unless told otherwise. */
  readonly engine?: boolean;
  readonly quiet?: boolean;
  /** Keeps database and secrets in this folder from one run to the next. */
  readonly keepIn?: string;
}

/** What tools and tests rely on: the readiness line of `npm run dev`. */
export interface Readiness {
  readonly ready: true;
  readonly api: string;
  readonly sandbox?: string;
  readonly masterKey: string;
  readonly apiKey: string;
  readonly marketplaceId: string;
  readonly surfaceBMarketplaceId: string;
  readonly paymentWebhookSecret: string;
  readonly escrowWebhookSecret: string;
}

export interface LocalSet {
  readonly ready: Readiness;
  /** As the owner of the tables. */
  readonly databaseUrl: string;
  /** Those it began with. */
  readonly apis: readonly ServerProcess[];
  readonly workers: readonly ServerProcess[];
  readonly engine: LocalRestate | undefined;
  /** Another one, at a port that a killed one left or at any free one. */
  startApi(port?: number): Promise<ServerProcess>;
  startWorker(): Promise<ServerProcess>;
  stop(): Promise<void>;
}

interface Secrets {
  readonly database: string;
  readonly masterKey: string;
  readonly tokenSecret: string;
  readonly walletKeys: string;
  readonly paymentWebhookSecret: string;
  readonly escrowWebhookSecret: string;
  apiKey?: string;
  marketplaceId?: string;
  readonly memberTokenSecret: string;
  readonly surfaceBMarketplaceId: string;
}

export async function startLocalSet(options: LocalSetOptions): Promise<LocalSet> {
  const { quiet = false, keepIn, engine: hasEngine = options.sandbox !== false } = options;
  const secrets = readSecrets(keepIn) ?? newSecrets(keepIn !== undefined);
  const postgres = await findPostgres(process.env['DATABASE_URL']);
  await makeDatabase(postgres.adminUrl, secrets.database);
  const owner = databaseUrl(postgres.adminUrl, secrets.database);
  const processes: ServerProcess[] = [];
  let sandbox: ServerProcess | undefined;
  let engine: LocalRestate | undefined;
  const stop = async () => {
    // What they lean on goes last: nobody inside should see it gone.
    const inside = processes.filter((each) => each !== sandbox);
    await Promise.all(inside.map((each) => each.kill('SIGTERM')));
    await Promise.all([sandbox?.kill('SIGTERM'), engine?.stop()]);
    if (keepIn === undefined) await dropDatabase(postgres.adminUrl, secrets.database);
    postgres.stop();
  };
  try {
    const starting = hasEngine ? startRestate({ isQuiet: quiet }) : undefined;
    sandbox = options.sandbox === false ? undefined : await openSandbox(options);
    if (sandbox) processes.push(sandbox);
    engine = await starting;
    const facts = sandbox?.said as unknown as SandboxFacts | undefined;
    const port = options.port || (await freePorts(1))[0];
    const env = {
      HOLDFAST_PUBLIC_URL: `http://127.0.0.1:${port}`,
      ...environmentOf(secrets, owner, options.env),
      ...(facts && sandboxEnvironment(facts)),
      ...(engine && (await engineEnvironment(engine))),
    };
    const start = async (role: 'api' | 'worker', port = 0) => {
      const settings = { ...env, HOLDFAST_PORT: String(port) };
      const started = await startServerProcess(role, settings, quiet);
      processes.push(started);
      return started;
    };
    await (await startServerProcess('migrate', env, quiet)).kill('SIGCONT');
    const workerCount = options.worker === false ? 0 : (options.workers ?? 1);
    const [first, ...workers] = await Promise.all([
      start('api', port),
      ...Array.from({ length: workerCount }, () => start('worker')),
    ]);
    const apis = [first];
    while (apis.length < (options.apis ?? 1)) apis.push(await start('api'));
    if (sandbox && workerCount > 0) {
      await Promise.all([fundHouse(sandbox.url, owner), engine?.served()]);
    }
    const { escrowWebhookSecret: escrow, paymentWebhookSecret: payment } = secrets;
    if (sandbox) await sendWebhooks(sandbox.url, first.url, { escrow, payment });
    const ready = await furnish(first.url, secrets, sandbox?.url);
    keepSecrets(keepIn, secrets);
    return {
      ready,
      databaseUrl: owner,
      apis,
      workers,
      engine,
      startApi: (port) => start('api', port),
      startWorker: () => start('worker'),
      stop,
    };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

/** The pretend world: it says when it is ready what the service must be told of it. */
async function openSandbox({ quiet = false, keepIn }: LocalSetOptions): Promise<ServerProcess> {
  const data = keepIn === undefined ? [] : ['--data', `${keepIn}/world`];
  return startServerProcess('sandbox', {}, quiet, ['--port', '0', ...data]);
}

function environmentOf(
  secrets: Secrets,
  owner: string,
  extra: Record<string, string> = {},
): Record<string, string> {
  const { REDIS_URL } = process.env;
  const passed = Object.entries(process.env).filter(([name]) => name.startsWith('HOLDFAST_'));
  return {
    NODE_ENV: 'development',
    DATABASE_URL: owner,
    HOLDFAST_MIGRATION_DATABASE_URL: owner,
    HOLDFAST_DATABASE_ROLE: 'holdfast_app',
    HOLDFAST_MASTER_KEY_HASH: hash('sha256', secrets.masterKey, 'hex'),
    HOLDFAST_TOKEN_SECRET: secrets.tokenSecret,
    HOLDFAST_MEMBER_TOKEN_SECRET: secrets.memberTokenSecret,
    HOLDFAST_SURFACE_B_MARKETPLACE: secrets.surfaceBMarketplaceId,
    PAYMENT_WEBHOOK_SECRET: secrets.paymentWebhookSecret,
    ESCROW_WEBHOOK_SECRET: secrets.escrowWebhookSecret,
    HOLDFAST_WALLET_KEYS: secrets.walletKeys,
    HOLDFAST_LOG_LEVEL: 'warn',
    ...(REDIS_URL === undefined ? {} : { REDIS_URL }),
    ...(Object.fromEntries(passed) as Record<string, string>),
    ...extra,
  };
}

/** A marketplace with a key to begin with. */
async function furnish(api: string, secrets: Secrets, sandbox?: string): Promise<Readiness> {
  if (secrets.apiKey === undefined) {
    const scopes = ['read', 'write', 'support'];
    const made = await post(api, secrets.masterKey, '/auth/api-keys', {
      name: 'Development',
      scopes,
    });
    secrets.apiKey = made['key'] as string;
    secrets.marketplaceId = made['marketplaceId'] as string;
  }
  const {
    masterKey,
    apiKey,
    marketplaceId,
    surfaceBMarketplaceId,
    paymentWebhookSecret,
    escrowWebhookSecret,
  } = secrets as Required<Secrets>;
  return {
    ready: true,
    api,
    ...(sandbox === undefined ? {} : { sandbox }),
    masterKey,
    apiKey,
    marketplaceId,
    surfaceBMarketplaceId,
    paymentWebhookSecret,
    escrowWebhookSecret,
  };
}

async function post(
  api: string,
  key: string,
  path: string,
  body: unknown,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${api}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201)
    throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: { data: Record<string, unknown> } }).data.data;
}

async function makeDatabase(adminUrl: string, name: string): Promise<void> {
  await asAdmin(adminUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${name}`);
  });
}

async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await asAdmin(adminUrl, (client) => client.query(`drop database if exists ${name} with (force)`));
}

function newSecrets(isKept: boolean): Secrets {
  const secret = () => Buffer.from(randomBytes(32)).toString('base64url');
  return {
    database: isKept ? 'holdfast_dev' : `holdfast_${newId('mkt').slice(4, 24)}`,
    masterKey: `hfm_${secret()}`,
    tokenSecret: secret(),
    memberTokenSecret: secret(),
    surfaceBMarketplaceId: newId('mkt'),
    walletKeys: `v1:${Buffer.from(randomBytes(32)).toString('base64')}`,
    paymentWebhookSecret: `whsec_${Buffer.from(randomBytes(32)).toString('base64')}`,
    escrowWebhookSecret: `whsec_${secret()}`,
  };
}

const secretsFile = (folder: string) => `${folder}/secrets.json`;

function readSecrets(folder: string | undefined): Secrets | undefined {
  if (folder === undefined || !existsSync(secretsFile(folder))) return undefined;
  return JSON.parse(readFileSync(secretsFile(folder), 'utf8')) as Secrets;
}

function keepSecrets(folder: string | undefined, secrets: Secrets): void {
  if (folder === undefined) return;
  const file = secretsFile(folder);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(secrets, null, 2), { mode: 0o600 });
}
