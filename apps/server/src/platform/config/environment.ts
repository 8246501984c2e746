//! The variables that settings are read from: without those that Kubernetes adds for services, and
//! with the secrets that are in files.
import { readFileSync } from 'node:fs';
import { type Setting, settings } from './settings.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Kubernetes describes each service to every container of its namespace: a service `holdfast` gives
 * `HOLDFAST_PORT=tcp://10.0.0.1:4400`, which is no setting, though it has the name of one.
 */
const LINK_NAME = /_SERVICE_HOST$|_SERVICE_PORT(_\w+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_[A-Z]+)?$/;
const LINK_VALUE = /^(tcp|udp|sctp):\/\//;

function isServiceLink(name: string, value: string | undefined): boolean {
  return name.startsWith('HOLDFAST_') && (LINK_NAME.test(name) || LINK_VALUE.test(value ?? ''));
}

/** A secret that is in a file is named by `NAME_FILE`. */
const SECRET_FILES = new Map<string, string>(
  (Object.entries(settings) as [string, Setting<unknown>][]).flatMap(([name, { secret }]) =>
    secret ? [[`${name}_FILE`, name] as const] : [],
  ),
);

/** Adds a fault for each file that cannot be used; none shows what is in it. */
export function readVariables(env: Variables, faults: string[]): Variables {
  const variables: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(env))
    if (!isServiceLink(name, value) && !SECRET_FILES.has(name)) variables[name] = value;
  for (const [fileName, name] of SECRET_FILES) {
    const path = env[fileName];
    if (!path) continue;
    if (variables[name]) faults.push(`${name} and ${fileName} must not both be set`);
    else variables[name] = readSecret(fileName, path, faults);
  }
  return variables;
}

/** Without the line end that editors and `echo` add. */
function readSecret(fileName: string, path: string, faults: string[]): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    if (text !== '') return text;
    faults.push(`${fileName} names an empty file: ${path}`);
  } catch (error) {
    const { code } = error as { code?: string };
    faults.push(`${fileName} names a file that cannot be read (${code}): ${path}`);
  }
  return undefined;
}
