//! A process as a deployment starts it: its settings, and the secrets that it gets as files.
import { parseEnv } from 'node:util';
import { newIdentityKey } from '../../../apps/cli/src/deployment/identity-key.ts';
import {
  deploymentSecrets,
  type SecretFiles,
} from '../../../apps/cli/src/deployment/new-secrets.ts';
import { ConfigurationFault, readConfig } from '../../../apps/server/src/platform/config/config.ts';
import {
  type Process,
  type Setting,
  settings,
} from '../../../apps/server/src/platform/config/settings.ts';

export interface DeployedProcess {
  /** For people: the file and the name. */
  readonly where: string;
  readonly process: Process;
  readonly environment: Readonly<Record<string, string>>;
  /** By the name of the setting: the path of its file in the process's surroundings. */
  readonly files: Readonly<Record<string, string>>;
}

/** A public key of Restate, as a deployment adds it. */
export const IDENTITY = { HOLDFAST_ENGINE_IDENTITY_KEYS: newIdentityKey().publicKey };

/** What `holdfast secrets` and the files of a deployment leave for its owner to write. */
const YOURS: Readonly<Record<string, string>> = {
  HOLDFAST_USDC_ISSUER: `G${'A'.repeat(55)}`,
  HOLDFAST_ESCROW_FACTORY: `C${'A'.repeat(55)}`,
  HOLDFAST_ESCROW_WASM_SINGLE: '1'.repeat(64),
  HOLDFAST_ESCROW_WASM_MULTI: '2'.repeat(64),
  HOLDFAST_ESCROW_PROVIDER_KEY: 'key-of-the-escrow-provider',
  HOLDFAST_PAYMENT_PROVIDER_KEY: 'key-of-the-payment-provider',
  HOLDFAST_PAYMENT_PROVIDER_SECRET: 'secret-of-the-payment-provider',
};

/** Secrets of features that a deployment may leave out. */
const OPTIONAL = [
  'HOLDFAST_COMPAT_KEY',
  'HOLDFAST_MEMBER_TOKEN_SECRET',
  'HOLDFAST_AUDIT_SIGNING_KEY',
];
const ROWS = Object.entries(settings) as [string, Setting<unknown>][];
const REMOTE = {
  database: 'postgres://db.internal/holdfast?sslmode=verify-full',
  owner: 'postgres',
  redis: 'rediss://:password@cache.internal:6379',
};

/** What the process would refuse at its start, and secrets too many or too few. */
export function faultsOf(deployed: DeployedProcess): string[] {
  const { where, process, environment, files } = deployed;
  const allowed = ROWS.filter(
    ([, { secret, readBy }]) => secret && (readBy ?? [process]).includes(process),
  ).map(([name]) => name);
  const named = Object.keys(environment).filter((name) => name.endsWith('_FILE'));
  const given = named.map((name) => name.slice(0, -'_FILE'.length));
  const faults = [
    ...given.filter((name) => !allowed.includes(name)).map((name) => `${name} is not for it`),
    ...allowed
      .filter((name) => !given.includes(name) && !OPTIONAL.includes(name))
      .map((name) => `${name} is missing`),
    ...given
      .filter((name) => environment[`${name}_FILE`] !== files[name])
      .map((name) => `${name}_FILE names no file that it has`),
    ...Object.keys(files)
      .filter((name) => !given.includes(name))
      .map((name) => `${name} is a file that no variable names`),
    ...ROWS.filter(([name, { secret }]) => secret && environment[name]).map(
      ([name]) => `${name} is a variable: secrets are files`,
    ),
    ...configurationFaults(deployed, given),
  ];
  return faults.map((fault) => `${where}: ${fault}`);
}

/** As the process itself reads them, with secrets as `holdfast secrets` creates them. */
function configurationFaults(deployed: DeployedProcess, given: readonly string[]): string[] {
  const { process, environment } = deployed;
  const secrets: SecretFiles = deploymentSecrets(REMOTE);
  const values = given.map((name) => [name, YOURS[name] ?? secrets[process]?.[name] ?? '']);
  const plain = Object.entries(environment)
    .filter(([name]) => !name.endsWith('_FILE'))
    .map(([name, value]) => [name, value === '' ? (YOURS[name] ?? '') : value]);
  try {
    readConfig({ ...Object.fromEntries(plain), ...Object.fromEntries(values) }, process);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationFault) return [...error.faults];
    throw error;
  }
}

export function variablesIn(text: string): Record<string, string> {
  return parseEnv(text) as Record<string, string>;
}
