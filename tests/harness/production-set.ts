//! A set as production runs it: TLS through nginx before api and sandbox, the settings and logins
//! of each process, a PostgreSQL with checksums, and the logs of all processes in files.
import { generateKeyPairSync, hash } from 'node:crypto';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { asAdmin, databaseUrl } from '../../apps/cli/src/local-postgres.ts';
import { furnish, type Readiness } from '../../apps/cli/src/local-readiness.ts';
import { engineEnvironment, freePorts, startRestate } from '../../apps/cli/src/local-restate.ts';
import { newSecrets, type Secrets } from '../../apps/cli/src/local-secrets.ts';
import {
  fundHouse,
  type SandboxFacts,
  sandboxEnvironment,
  sendWebhooks,
} from '../../apps/cli/src/local-world.ts';
import { settingsFor } from '../../apps/cli/src/process-settings.ts';
import {
  runServerProcess,
  type ServerProcess,
  startServerProcess,
} from '../../apps/cli/src/server-process.ts';
import { createTemporaryFolder } from '../../apps/cli/src/temporary-folder.ts';
import { endPool } from '../../apps/server/src/testing/database/end-pool.ts';
import { startTestCluster } from '../../apps/server/src/testing/database/test-postgres.ts';
import { findNginx } from '../../tools/installed.ts';
import { byInvitation } from './enroll.ts';
import { type Nginx, SERVER_NAME, startNginx } from './nginx.ts';
import { startRedis } from './redis.ts';
import { needed } from './set.ts';

type Settings = Readonly<Record<string, string>>;

export interface ProductionSet extends AsyncDisposable {
  readonly nginx: Nginx;
  /** Keys, operators, and the api without TLS, for the setup of a test. */
  readonly ready: Readiness;
  readonly secrets: Secrets;
  readonly api: ServerProcess;
  readonly worker: ServerProcess;
  /** Its control interface, without TLS. */
  readonly sandbox: string;
  readonly settings: { readonly api: Settings; readonly worker: Settings };
  /** As the owner of the tables. */
  readonly databaseUrl: string;
  /** As the role of a process: what an attacker has who took the process over. */
  readonly urlAs: (role: string) => string;
  readonly monitor: pg.Pool;
  /** Where the worker archives the hashes of the audit log, and the key that verifies them. */
  readonly archive: { readonly folder: string; readonly publicKeyFile: string };
  /** The lines of all processes so far, oldest first for each. */
  readonly logLines: () => LogLine[];
}

export interface LogLine {
  readonly role: string;
  /** 40 is a warning, 50 an error. */
  readonly level: number;
  readonly time: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

const LOGIN = { api: 'holdfast_api', worker: 'holdfast_worker' } as const;

const FIXED = {
  NODE_ENV: 'production',
  HOLDFAST_DURABILITY: 'archive',
  HOLDFAST_PUBLIC_URL: `https://${SERVER_NAME}`,
  HOLDFAST_TRUSTED_PROXIES: '1',
  // The calls of all attackers and of the tests' own setup come from one machine.
  HOLDFAST_RATE_LIMIT: '100000',
  HOLDFAST_MASTER_RATE_LIMIT: '100000',
  HOLDFAST_ADJUSTMENT_LIMIT: '1000000',
  HOLDFAST_TREASURY_SHARE: '1000000',
  HOLDFAST_INTERNAL_PORT: '0',
  HOLDFAST_DRAIN_MS: '0',
  HOLDFAST_SPARE_WALLETS: '10',
  HOLDFAST_USER_PAYOUT_LIMIT: '1000',
  HOLDFAST_USER_PAYOUT_LIMIT_XLM: '1000',
  HOLDFAST_MARKETPLACE_PAYOUT_LIMIT: '2000',
  HOLDFAST_MARKETPLACE_PAYOUT_LIMIT_XLM: '2000',
};

/** Of every second, so that a wallet is handed out soon. Nothing here is ever restored. */
const ARCHIVING = { archive_mode: 'on', archive_command: '/bin/true', archive_timeout: '1' };

/** The sandbox accepts any; production refuses those that it suggests. */
const PROVIDER_KEYS = {
  HOLDFAST_ESCROW_PROVIDER_KEY: 'key-of-the-escrow-provider',
  HOLDFAST_PAYMENT_PROVIDER_KEY: 'key-of-the-payment-provider',
  HOLDFAST_PAYMENT_PROVIDER_SECRET: 'secret-of-the-payment-provider',
};

export async function openProductionSet(more: Settings = {}): Promise<ProductionSet> {
  await using cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(createTemporaryFolder('holdfast-production'));
  const logs = ['sandbox', 'api', 'worker'] as const;
  const logTo = (name: (typeof logs)[number]) => openSync(join(folder.path, name), 'a');
  const secrets = newSecrets();
  const { archive, signingKey } = createArchive(folder.path);
  const [postgres, engine, redis, [apiPort]] = await Promise.all([
    startTestCluster(ARCHIVING),
    startRestate(),
    startRedis(),
    freePorts(1),
  ]);
  cleanup.defer(() => postgres.stop());
  cleanup.defer(() => engine.stop());
  cleanup.defer(() => redis.kill());
  const { adminUrl } = postgres;
  await asAdmin(adminUrl, (client) => client.query(`create database ${secrets.database}`));
  const owner = databaseUrl(adminUrl, secrets.database);
  const urlAs = (role: string) => Object.assign(new URL(owner), { username: role }).href;

  const sandbox = await startSandbox(logTo('sandbox'), `http://127.0.0.1:${apiPort}`);
  cleanup.defer(() => sandbox.nginx.stop());
  cleanup.defer(() => sandbox.process.kill('SIGTERM'));
  const { nginx } = sandbox;
  const common = {
    ...FIXED,
    NODE_EXTRA_CA_CERTS: nginx.certificateFile,
    REDIS_URL: redis.url,
    HOLDFAST_AUDIT_EXPORT: `file:${archive.folder}`,
    HOLDFAST_AUDIT_SIGNING_KEY: signingKey,
    ...sandbox.env,
    ...PROVIDER_KEYS,
    ...(await engineEnvironment(engine)),
    ...more,
  };
  const of = (role: 'api' | 'worker' | 'migrate', url: string) =>
    settingsFor(role, { ...common, ...secretSettings(secrets), DATABASE_URL: url });
  const settings = { api: of('api', urlAs(LOGIN.api)), worker: of('worker', urlAs(LOGIN.worker)) };
  await runServerProcess('migrate', of('migrate', owner), 'inherit');
  const start = (role: 'api' | 'worker', port: string) =>
    startServerProcess(role, { ...settings[role], HOLDFAST_PORT: port }, logTo(role)).catch(
      (error: Error) => {
        throw new Error(`${error.message}: ${readFileSync(join(folder.path, role), 'utf8')}`);
      },
    );
  const [api, worker] = await Promise.all([start('api', String(apiPort)), start('worker', '0')]);
  cleanup.defer(async () => {
    await Promise.all([api.kill('SIGTERM'), worker.kill('SIGTERM')]);
  });
  await Promise.all([fundHouse(sandbox.process.url, owner), engine.served()]);
  const { paymentWebhookSecret: payment, escrowWebhookSecret: escrow } = secrets;
  const publicUrl = `https://127.0.0.1:${nginx.port}`;
  await sendWebhooks(sandbox.process.url, publicUrl, { payment, escrow });
  const monitor = new pg.Pool({ connectionString: owner, max: 4 });
  cleanup.defer(() => endPool(monitor));
  const master = { api: api.url, apiKey: secrets.masterKey };
  const create = byInvitation(master, FIXED.HOLDFAST_PUBLIC_URL);
  const ready = await furnish(api.url, secrets, sandbox.process.url, create);
  const all = cleanup.move();
  return {
    ...{ nginx, ready, secrets, api, worker, settings, databaseUrl: owner, urlAs, monitor },
    archive,
    sandbox: sandbox.process.url,
    logLines: () => logs.flatMap((name) => linesOf(readFileSync(join(folder.path, name), 'utf8'))),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** An empty folder for the audit archive, and a key pair as an operator makes it with OpenSSL. */
function createArchive(parent: string) {
  const archive = { folder: join(parent, 'archive'), publicKeyFile: join(parent, 'archive.pem') };
  mkdirSync(archive.folder);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(archive.publicKeyFile, publicKey.export({ type: 'spki', format: 'pem' }));
  const der = privateKey.export({ type: 'pkcs8', format: 'der' });
  return { archive, signingKey: der.toString('base64') };
}

/** nginx stands before both, so it starts before the api, and the sandbox trusts it. */
async function startSandbox(logTo: number, apiUrl: string) {
  const [port] = (await freePorts(1)) as [number];
  const program = needed(findNginx(), 'nginx');
  const nginx = await startNginx(program, apiUrl, { others: [`http://127.0.0.1:${port}`] });
  const trust = { NODE_EXTRA_CA_CERTS: nginx.certificateFile };
  const process = await startServerProcess('sandbox', trust, logTo, ['--port', String(port)]);
  const facts = sandboxEnvironment(process.readyInfo as unknown as SandboxFacts);
  const [url] = nginx.others as [string];
  // The clock of the sandbox is for development only.
  const { HOLDFAST_SANDBOX_URL: _, ...rest } = facts;
  const env = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, value.replace(process.url, url)]),
  );
  return { nginx, process, env };
}

function secretSettings(secrets: Secrets): Settings {
  return {
    HOLDFAST_MASTER_KEY_HASH: hash('sha256', secrets.masterKey, 'hex'),
    HOLDFAST_TOKEN_SECRET: secrets.tokenSecret,
    HOLDFAST_MEMBER_TOKEN_SECRET: secrets.memberTokenSecret,
    HOLDFAST_SURFACE_B_MARKETPLACE: secrets.surfaceBMarketplaceId,
    HOLDFAST_OPERATOR_KEYS: secrets.operatorKeys,
    HOLDFAST_WALLET_KEYS: secrets.walletKeys,
    HOLDFAST_WEBHOOK_KEYS: secrets.webhookKeys,
    PAYMENT_WEBHOOK_SECRET: secrets.paymentWebhookSecret,
    ESCROW_WEBHOOK_SECRET: secrets.escrowWebhookSecret,
  };
}

/** The last line may be incomplete. */
function linesOf(text: string): LogLine[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as LogLine];
    } catch {
      return [];
    }
  });
}
