//! Reads all settings from the environment, once, and reports every fault at once.
import { checkConfig } from './check-config.ts';
import { readVariables, type Variables } from './environment.ts';
import { type Environment, type Process, type Setting, settings } from './settings.ts';

type Settings = typeof settings;
type ValueOf<S> =
  S extends Setting<infer T, infer Certain> ? (Certain extends true ? T : T | undefined) : never;

export type Config = { readonly [N in keyof Settings]: ValueOf<Settings[N]> };

export class ConfigurationFault extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    const lines = faults.map((fault) => `  - ${fault}`).join('\n');
    super(
      `the configuration has ${faults.length} error${faults.length === 1 ? '' : 's'}:\n${lines}`,
    );
    this.faults = faults;
  }
}

/** Of one process. Throws once, with every fault; no secret is shown. */
export function readConfig(variables: Variables, process: Process): Config {
  const faults: string[] = [];
  const env = readVariables(variables, faults);
  const { NODE_ENV = '' } = env;
  const environment = settings.NODE_ENV.read(NODE_ENV) ?? 'production';
  const config: Record<string, unknown> = {};
  const readable = { ...env };
  for (const [name, row] of Object.entries(settings) as [string, Setting<unknown>][]) {
    const isRead = row.readBy === undefined || row.readBy.includes(process);
    const requiredIn = isRead ? row.requiredIn : [];
    config[name] = readSetting(name, { ...row, requiredIn }, env[name] ?? '', environment, faults);
    if (config[name] === undefined) delete readable[name];
  }
  for (const name of Object.keys(env)) {
    if (name.startsWith('HOLDFAST_') && !Object.hasOwn(settings, name)) {
      faults.push(`unknown setting ${name}; check the spelling`);
    }
  }
  if (process === 'api' && !hasMemberSecret(env))
    faults.push('HOLDFAST_MEMBER_TOKEN_SECRET must be set, and differ from HOLDFAST_TOKEN_SECRET');
  if (environment === 'production') faults.push(...checkConfig(readable, process));
  if (faults.length > 0) throw new ConfigurationFault(faults);
  return Object.freeze(config) as Config;
}

/** Where the internal server of a process listens. */
export function internalAddress(config: Config): { host: string; port: number | undefined } {
  return { host: config.HOLDFAST_INTERNAL_HOST, port: config.HOLDFAST_INTERNAL_PORT };
}

function hasMemberSecret(env: Variables): boolean {
  const { HOLDFAST_SURFACE_B_MARKETPLACE: marketplaceId } = env;
  const { HOLDFAST_MEMBER_TOKEN_SECRET: secret, HOLDFAST_TOKEN_SECRET: other } = env;
  return !marketplaceId || (secret !== undefined && secret !== '' && secret !== other);
}

function readSetting(
  name: string,
  row: Setting<unknown>,
  given: string,
  environment: Environment,
  faults: string[],
): unknown {
  if (given === '') {
    if (row.requiredIn.includes(environment)) faults.push(`${name} is missing: ${row.description}`);
    return row.defaultIn[environment];
  }
  const value = row.read(given);
  if (value === undefined) {
    faults.push(
      `${name} must be ${row.expects}${row.secret ? '' : `, not ${JSON.stringify(given)}`}`,
    );
    return undefined;
  }
  const broken = row.rule?.(given, environment);
  if (broken !== undefined) faults.push(`${name} ${broken}`);
  return value;
}
