//! What a runbook is for: how a test brings a set into it, and what happens outside meanwhile.
import { readFileSync } from 'node:fs';
import { call, dataOf, type Fields, type Post, poster } from '../../harness/api.ts';
import { createMarketplace } from '../../harness/people.ts';
import { within } from '../../harness/wait.ts';
import type { Environment } from './environment.ts';

/** A marketplace of its own for each page, so that no page sees the operations of another. */
export interface Case {
  readonly set: Environment;
  readonly marketplace: { readonly id: string; readonly key: string };
  readonly post: Post;
  /** With the master key. */
  readonly master: Post;
  /** What ends with the page. */
  readonly cleanup: AsyncDisposableStack;
}

/** It only ends what hangs. */
const SITUATION_MS_MAX = 120_000;

export type Variables = Readonly<Record<string, string>>;

export interface Situation {
  /** Brings the set into it; returns the values that the page takes from the alert or a caller. */
  start(one: Case): Promise<Variables>;
  /** By the heading of a section: what happens before its commands, and not by them. */
  readonly before?: Readonly<Record<string, (one: Case) => Promise<unknown>>>;
}

export async function openCase(
  set: Environment,
  name: string,
  cleanup: AsyncDisposableStack,
): Promise<Case> {
  const { ready } = set.set;
  const marketplace = await createMarketplace(ready, name, {
    scopes: ['read', 'write', 'support'],
  });
  const { api } = ready;
  return {
    ...{ set, marketplace, cleanup },
    post: poster({ api, apiKey: marketplace.key }),
    master: poster({ api, apiKey: ready.masterKey }),
  };
}

/** What an operator has in the environment. */
export function variablesOf({ set, marketplace }: Case): Variables {
  const { ready } = set.set;
  const processes = [...set.apis, ...set.workers];
  return {
    PATH: `${set.programs}:${process.env['PATH']}`,
    HOLDFAST_URL: ready.api,
    HOLDFAST_API_KEY: marketplace.key,
    HOLDFAST_MASTER_KEY: ready.masterKey,
    HOLDFAST_HORIZON_URL: set.set.settings['HOLDFAST_HORIZON_URL'] ?? '',
    HOLDFAST_ENGINE_INGRESS_URL: set.engine?.ingressUrl ?? '',
    HOLDFAST_MIGRATION_DATABASE_URL: set.databaseUrl,
    MARKETPLACE: marketplace.id,
    INTERNAL: processes.map(({ readyInfo }) => String(readyInfo['internal'])).join(' '),
  };
}

/** A list of the marketplace. */
export async function read({ set, marketplace }: Case, path: string): Promise<Fields[]> {
  return dataOf<Fields[]>(path, await call({ api: set.api, apiKey: marketplace.key }, { path }));
}

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  if (!(await within(SITUATION_MS_MAX, isSo))) throw new Error('the situation did not come about');
}

/** A refusal reaches the journal after its response has left. */
export function untilLogged({ set }: Case, code: string): Promise<void> {
  return until(async () => readFileSync(set.journal, 'utf8').includes(`"code":"${code}"`));
}
