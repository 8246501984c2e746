//! Finds the server: from flags, then the environment, then the state file of `holdfast dev`.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { usageFault } from './command-fault.ts';
import type { LocalOperator } from './local-operators.ts';

/** The readiness line of `holdfast dev`, kept in `.holdfast/dev.json` while it runs. */
export interface DevFile {
  readonly api: string;
  readonly sandbox?: string;
  readonly apiKey?: string;
  readonly masterKey?: string;
  readonly marketplaceId?: string;
  readonly operators?: readonly LocalOperator[];
  /** What the processes of the set were started with. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface ServerLocation {
  /** Without a slash at its end and without `/api/v1`. */
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly masterKey: string | undefined;
  readonly sandbox: string | undefined;
  /** Of the console, where `holdfast dev` made them. */
  readonly operators: readonly LocalOperator[];
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** Which of the three said where. */
  readonly from: string;
}

export interface ServerFlags {
  readonly url?: string | undefined;
  readonly apiKey?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const DEV_FILE = '.holdfast/dev.json';

/** Keys of a `dev` that runs elsewhere never go to a server that was named. */
export function findServer(
  flags: ServerFlags,
  env: Environment,
  folder: string,
  /** Used when nothing is named. */
  usual?: string,
): ServerLocation {
  const dev = readDevFile(folder);
  const named = flags.url ?? env['HOLDFAST_URL'];
  const isDev = dev !== undefined && (named === undefined || sameServer(named, dev.value.api));
  const url = named ?? dev?.value.api ?? usual;
  if (url === undefined)
    throw usageFault(
      'no server found',
      'start one with `holdfast dev`, or pass --url and --api-key (HOLDFAST_URL, HOLDFAST_API_KEY)',
    );
  const own = isDev ? dev.value : undefined;
  return {
    url: readUrl(url),
    apiKey: flags.apiKey ?? env['HOLDFAST_API_KEY'] ?? own?.apiKey,
    masterKey: env['HOLDFAST_MASTER_KEY'] ?? own?.masterKey,
    sandbox: env['HOLDFAST_SANDBOX_URL'] ?? own?.sandbox,
    operators: own?.operators ?? [],
    // What the set was started with counts, not what the person has set for something else.
    settings: { ...env, ...own?.settings },
    from: flags.url ? '--url' : env['HOLDFAST_URL'] ? 'HOLDFAST_URL' : (dev?.path ?? 'default URL'),
  };
}

function readUrl(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw usageFault(
      `invalid server URL ${text}`,
      'use a URL that starts with http:// or https://',
    );
  return text.replace(/\/+$/, '').replace(/\/api\/v1$/, '');
}

function sameServer(one: string, other: string): boolean {
  const hostOf = (text: string) => (URL.canParse(text) ? new URL(text).host : text);
  return hostOf(one).replace('localhost', '127.0.0.1') === hostOf(other);
}

/** Of this folder or of one above it, as far as there is one. */
function readDevFile(
  folder: string,
): { readonly path: string; readonly value: DevFile } | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, DEV_FILE);
    try {
      return { path, value: JSON.parse(readFileSync(path, 'utf8')) as DevFile };
    } catch {
      if (dirname(at) === at) return undefined;
    }
  }
}
