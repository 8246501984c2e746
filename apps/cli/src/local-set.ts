//! The whole set on loopback: a database, migrations, api and worker processes, a first
//! marketplace.
import { hash } from 'node:crypto';
import {
  asAdmin,
  databaseUrl,
  findPostgres,
  type LocalPostgres,
  type PostgresChoice,
} from './local-postgres.ts';
import { furnish, type Readiness } from './local-readiness.ts';
import { engineEnvironment, freePorts, type LocalRestate, startRestate } from './local-restate.ts';
import { newSecrets, readSecrets, type Secrets, saveSecrets } from './local-secrets.ts';
import { type Step, type StepWatch, stepsFor, unlessCalledOff } from './local-steps.ts';
import { fundHouse, type SandboxFacts, sandboxEnvironment, sendWebhooks } from './local-world.ts';
import { LOGINS, settingsFor } from './process-settings.ts';
import {
  type LogTo,
  runServerProcess,
  type ServerProcess,
  startServerProcess,
} from './server-process.ts';

export type { Readiness } from './local-readiness.ts';
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
  /** Starts the sandbox; on unless set to false. */
  readonly sandbox?: boolean;
  /** Starts Restate; on when the sandbox is, unless set to false. */
  readonly engine?: boolean;
  readonly quiet?: boolean;
  /** Where the processes' logs go, unless `quiet` says nowhere; usually to our standard error. */
  readonly logTo?: LogTo;
  /** Keeps database and secrets in this folder from one run to the next. */
  readonly stateFolder?: string | undefined;
  /** Which PostgreSQL; without it DATABASE_URL, one that runs here, or one started for us. */
  readonly postgres?: PostgresChoice | undefined;
  /** Receives the steps of the start. */
  readonly watch?: StepWatch;
  /** Aborts the start: everything started is stopped and removed, once its processes have ended. */
  readonly signal?: AbortSignal;
}

export interface LocalSet {
  readonly ready: Readiness;
  /** As the owner of the tables. */
  readonly databaseUrl: string;
  /** Of all its processes together; each is started with its own. */
  readonly settings: Readonly<Record<string, string>>;
  /** Those it began with. */
  readonly apis: readonly ServerProcess[];
  readonly workers: readonly ServerProcess[];
  readonly sandbox: ServerProcess | undefined;
  readonly engine: LocalRestate | undefined;
  /** Resolves with the role of the first process that has ended. */
  readonly lost: Promise<string>;
  /** Another one, at a port that a killed one left or at any free one. */
  startApi(port?: number): Promise<ServerProcess>;
  startWorker(): Promise<ServerProcess>;
  stop(): Promise<void>;
}

/** The started parts, so that they can be stopped from any point that a start has reached. */
interface Running {
  postgres?: LocalPostgres;
  sandbox?: ServerProcess;
  engine?: LocalRestate;
  readonly servers: ServerProcess[];
}

export async function startLocalSet(options: LocalSetOptions): Promise<LocalSet> {
  const { stateFolder } = options;
  const logTo = logOf(options);
  const secrets = readSecrets(stateFolder) ?? newSecrets();
  const running: Running = { servers: [] };
  const step = stepsFor(options.watch, options.signal);
  const stop = () => stopAll(running, secrets.database, stateFolder !== undefined);
  try {
    await startGround(running, options, step);
    const owner = await openDatabase(running.postgres as LocalPostgres, secrets, stateFolder);
    // From here on there is something to come back to.
    saveSecrets(stateFolder, secrets);
    const port = options.port || ((await freePorts(1))[0] as number);
    const env = await settingsOf(running, secrets, owner, port, options.env);
    const start: StartServer = async (role, port = 0) => {
      const own = { HOLDFAST_PORT: String(port), HOLDFAST_DATABASE_ROLE: LOGINS[role] };
      const settings = settingsFor(role, { ...env, ...own });
      const started = await startServerProcess(role, settings, logTo);
      running.servers.push(started);
      return started;
    };
    const migrate = () => runServerProcess('migrate', settingsFor('migrate', env), logTo);
    await step('migrations', migrate, migrationsText);
    const { first, apis, workers } = await startServers(options, port, start, step);
    const to = { api: first.url, owner, hasWorker: workers.length > 0 };
    const ready = await step('setup', () =>
      unlessCalledOff(options.signal, settle(running, secrets, to)),
    );
    saveSecrets(stateFolder, secrets);
    return {
      ready,
      databaseUrl: owner,
      settings: env,
      apis,
      workers,
      sandbox: running.sandbox,
      engine: running.engine,
      lost: firstLost(running),
      startApi: (port) => start('api', port),
      startWorker: () => start('worker'),
      stop,
    };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

type StartServer = (role: 'api' | 'worker', port?: number) => Promise<ServerProcess>;

async function startServers(
  { worker, workers: workerCount = 1, apis: apiCount = 1 }: LocalSetOptions,
  port: number,
  start: StartServer,
  step: Step,
) {
  const wanted = Array.from({ length: worker === false ? 0 : workerCount });
  const [first, ...workers] = await step('API and worker', () =>
    allOf([start('api', port), ...wanted.map(() => start('worker'))] as const),
  );
  const apis = [first];
  while (apis.length < apiCount) apis.push(await start('api'));
  return { first, apis, workers };
}

function logOf({ quiet = false, logTo = 'inherit' }: LocalSetOptions): LogTo {
  return quiet ? 'ignore' : logTo;
}

/** Starts the dependencies of the service: none of the three needs another. */
async function startGround(running: Running, options: LocalSetOptions, step: Step): Promise<void> {
  const { stateFolder, engine: hasEngine = options.sandbox !== false } = options;
  const logTo = logOf(options);
  const choice = options.postgres ?? process.env['DATABASE_URL'];
  const openPostgres = async () => {
    const find = () => findPostgres(choice, stateFolder);
    running.postgres = await step('PostgreSQL', find, ({ what }) => what);
  };
  const openEngine = async () => {
    running.engine = await step('Restate', () => startRestate({ logTo }));
  };
  const openSandbox = async () => {
    const data = stateFolder === undefined ? [] : ['--data', `${stateFolder}/world`];
    const start = () => startServerProcess('sandbox', {}, logTo, ['--port', '0', ...data]);
    running.sandbox = await step('sandbox', start);
  };
  await allOf([
    openPostgres(),
    ...(hasEngine ? [openEngine()] : []),
    ...(options.sandbox === false ? [] : [openSandbox()]),
  ]);
}

async function settingsOf(
  { sandbox, engine }: Running,
  secrets: Secrets,
  owner: string,
  port: number,
  extra: Record<string, string> | undefined,
): Promise<Record<string, string>> {
  const facts = sandbox?.readyInfo as unknown as SandboxFacts | undefined;
  return {
    HOLDFAST_PUBLIC_URL: `http://127.0.0.1:${port}`,
    ...environmentOf(secrets, owner, extra),
    ...(facts && sandboxEnvironment(facts)),
    ...(engine && (await engineEnvironment(engine))),
  };
}

/** The one-time setup by an operator: money for the house, webhooks, a first key. */
async function settle(
  { sandbox, engine }: Running,
  secrets: Secrets,
  to: { readonly api: string; readonly owner: string; readonly hasWorker: boolean },
): Promise<Readiness> {
  if (sandbox && to.hasWorker) {
    await Promise.all([fundHouse(sandbox.url, to.owner), engine?.served()]);
  }
  const { escrowWebhookSecret: escrow, paymentWebhookSecret: payment } = secrets;
  if (sandbox) await sendWebhooks(sandbox.url, to.api, { escrow, payment });
  return furnish(to.api, secrets, sandbox?.url);
}

/** Dependencies stop last: no process should see them gone. */
async function stopAll(running: Running, database: string, isPersistent: boolean): Promise<void> {
  const { postgres, sandbox, engine, servers } = running;
  await Promise.all(servers.map((each) => each.kill('SIGTERM')));
  await Promise.all([sandbox?.kill('SIGTERM'), engine?.stop()]);
  // A PostgreSQL of our own goes as a whole.
  if (postgres && !isPersistent && !postgres.isOurs)
    await dropDatabase(postgres.adminUrl, database);
  await postgres?.stop();
}

function firstLost({ sandbox, servers }: Running): Promise<string> {
  const named = [...servers, ...(sandbox ? [sandbox] : [])];
  return Promise.race(named.map(({ role, gone }) => gone.then(() => role)));
}

function migrationsText({ applied }: Readonly<Record<string, unknown>>): string {
  const count = Array.isArray(applied) ? applied.length : 0;
  return count === 0 ? 'none pending' : `${count} applied`;
}

function lostDatabase(stateFolder: string): Error {
  return new Error(
    `the database saved in ${stateFolder} does not exist on this PostgreSQL server: ` +
      `select the right server with --postgres, or delete ${stateFolder} to start over`,
  );
}

/** All of them, or the first failure: but only after each has ended one way or the other. */
async function allOf<const T extends readonly Promise<unknown>[]>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work);
  return Promise.all(work) as Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }>;
}

function environmentOf(
  secrets: Secrets,
  owner: string,
  extra: Record<string, string> = {},
): Record<string, string> {
  const { REDIS_URL } = process.env;
  const passed = Object.entries(process.env).filter(([name]) => isServerSetting(name));
  return {
    NODE_ENV: 'development',
    DATABASE_URL: owner,
    HOLDFAST_MIGRATION_DATABASE_URL: owner,
    HOLDFAST_DATABASE_ROLE: LOGINS.api,
    HOLDFAST_MASTER_KEY_HASH: hash('sha256', secrets.masterKey, 'hex'),
    HOLDFAST_TOKEN_SECRET: secrets.tokenSecret,
    HOLDFAST_MEMBER_TOKEN_SECRET: secrets.memberTokenSecret,
    HOLDFAST_SURFACE_B_MARKETPLACE: secrets.surfaceBMarketplaceId,
    PAYMENT_WEBHOOK_SECRET: secrets.paymentWebhookSecret,
    ESCROW_WEBHOOK_SECRET: secrets.escrowWebhookSecret,
    HOLDFAST_WALLET_KEYS: secrets.walletKeys,
    HOLDFAST_WEBHOOK_KEYS: secrets.webhookKeys,
    HOLDFAST_OPERATOR_KEYS: secrets.operatorKeys,
    HOLDFAST_LOG_LEVEL: 'warn',
    ...(REDIS_URL === undefined ? {} : { REDIS_URL }),
    ...(Object.fromEntries(passed) as Record<string, string>),
    ...extra,
  };
}

/** What the command line reads for itself is no setting of the server, which would refuse it. */
function isServerSetting(name: string): boolean {
  return /^HOLDFAST_(?!DEV_|(URL|API_KEY|MASTER_KEY|WEBHOOK_SECRET)$)/.test(name);
}

/** Our database in this PostgreSQL, created if missing; returns its owner's URL. */
async function openDatabase(
  { adminUrl }: LocalPostgres,
  { database, apiKey }: Secrets,
  stateFolder: string | undefined,
): Promise<string> {
  const isNew = await createDatabase(adminUrl, database);
  if (isNew && stateFolder !== undefined && apiKey !== undefined) throw lostDatabase(stateFolder);
  return databaseUrl(adminUrl, database);
}

/** Whether it was not there before. */
async function createDatabase(adminUrl: string, name: string): Promise<boolean> {
  return asAdmin(adminUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${name}`);
    return rowCount === 0;
  });
}

async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await asAdmin(adminUrl, (client) => client.query(`drop database if exists ${name} with (force)`));
}
