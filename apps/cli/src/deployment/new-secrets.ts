//! The secrets of a new deployment, by the process that reads them.
import { generateKeyPairSync, hash } from 'node:crypto';
import { randomBytes } from '@holdfast/kernel/random';
import { newSecrets } from '../local-secrets.ts';
import { LOGINS, settingsFor } from '../process-settings.ts';
import { newIdentityKey } from './identity-key.ts';

export interface DeploymentOptions {
  /** Of PostgreSQL, without a login. */
  readonly database: string;
  /** The login of the owner of the tables. */
  readonly owner: string;
  readonly redis: string | undefined;
}

/** By folder, then by file. */
export type SecretFiles = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Placeholders of the sandbox: a provider gives its own. */
const OF_PROVIDERS = {
  HOLDFAST_ESCROW_PROVIDER_KEY: 'sandbox',
  HOLDFAST_PAYMENT_PROVIDER_KEY: 'sandbox',
  HOLDFAST_PAYMENT_PROVIDER_SECRET: 'sandbox',
};

const PROCESSES = ['api', 'worker', 'migrate'] as const;

export function deploymentSecrets({ database, owner, redis }: DeploymentOptions): SecretFiles {
  const secrets = newSecrets();
  const passwords = { owner: password(), api: password(), worker: password() };
  const url = (login: string, of: string) => withLogin(database, login, of);
  const all = {
    HOLDFAST_MASTER_KEY_HASH: hash('sha256', secrets.masterKey, 'hex'),
    HOLDFAST_TOKEN_SECRET: secrets.tokenSecret,
    HOLDFAST_MEMBER_TOKEN_SECRET: secrets.memberTokenSecret,
    PAYMENT_WEBHOOK_SECRET: secrets.paymentWebhookSecret,
    ESCROW_WEBHOOK_SECRET: secrets.escrowWebhookSecret,
    HOLDFAST_OPERATOR_KEYS: secrets.operatorKeys,
    HOLDFAST_WALLET_KEYS: secrets.walletKeys,
    HOLDFAST_WEBHOOK_KEYS: secrets.webhookKeys,
    HOLDFAST_AUDIT_SIGNING_KEY: signingKey(),
    ...OF_PROVIDERS,
    ...(redis !== undefined && { REDIS_URL: redis }),
  };
  const databaseUrls = {
    api: { DATABASE_URL: url(LOGINS.api, passwords.api) },
    worker: { DATABASE_URL: url(LOGINS.worker, passwords.worker) },
    migrate: {
      DATABASE_URL: url(owner, passwords.owner),
      HOLDFAST_MIGRATION_DATABASE_URL: url(owner, passwords.owner),
    },
  };
  const identity = newIdentityKey();
  const ofProcesses = PROCESSES.map((process) => [
    process,
    { ...settingsFor(process, process === 'migrate' ? {} : all), ...databaseUrls[process] },
  ]);
  return {
    ...(Object.fromEntries(ofProcesses) as SecretFiles),
    postgres: {
      owner_password: passwords.owner,
      api_password: passwords.api,
      worker_password: passwords.worker,
    },
    restate: {
      'identity.pem': identity.privatePem,
      // Of the workers, as a file of variables: a public key is no secret.
      'identity.env': `HOLDFAST_ENGINE_IDENTITY_KEYS=${identity.publicKey}\n`,
    },
    operator: { master_key: secrets.masterKey },
  };
}

function password(): string {
  return Buffer.from(randomBytes(24)).toString('base64url');
}

/** As HOLDFAST_AUDIT_SIGNING_KEY has it: PKCS #8 in base64. */
function signingKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  return privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
}

/** Also for a URL without a host, which names a folder of sockets as a parameter. */
export function withLogin(url: string, login: string, password: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/)(?:[^@/]*@)?/, `$1${login}:${password}@`);
}
