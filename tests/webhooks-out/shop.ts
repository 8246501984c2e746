//! The marketplaces of the run: their keys, users and endpoints, and the credits that make events.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { exchange } from '../crash/http.ts';
import type { LogEvent } from './judge.ts';

export interface Shop {
  readonly id: string;
  readonly key: string;
  readonly userIds: readonly string[];
}

const USERS = 8;
const TRIES_MAX = 200;

/** Asks one api process after the other until one answers. It is one request, by its key. */
export async function ask(
  urls: readonly string[],
  key: string,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
  };
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const url = urls[tries % urls.length] as string;
    const answer = await exchange(`${url}/api/v1${path}`, method, headers, JSON.stringify(body));
    const isBusy = answer.status === undefined || answer.status >= 500 || answer.status === 409;
    if (answer.status !== undefined && !isBusy) {
      if (answer.status >= 300)
        throw new Error(`${path}: ${answer.status} ${answer.body.toString()}`);
      return (JSON.parse(answer.body.toString()) as { data: Record<string, unknown> }).data;
    }
    await sleep(100);
  }
  throw new Error(`${method} ${path} was never answered`);
}

export async function openShop(
  urls: readonly string[],
  masterKey: string,
  name: string,
): Promise<Shop> {
  const scopes = ['read', 'write'];
  const { data } = await ask(urls, masterKey, 'POST', '/auth/api-keys', { name, scopes });
  const { key, marketplaceId: id } = data as { key: string; marketplaceId: string };
  const userIds: string[] = [];
  for (let at = 0; at < USERS; at += 1) {
    const externalUserId = `${name}-${at}`;
    const user = await ask(urls, key, 'POST', '/users', { externalUserId });
    userIds.push((user['data'] as { id: string }).id);
  }
  return { id, key, userIds };
}

export interface MadeEndpoint {
  readonly id: string;
  readonly secret: string;
  /** Everything behind this is sent to it; null: everything there is. */
  readonly deliveredTo: string | null;
}

export async function makeEndpoint(
  urls: readonly string[],
  { key }: Shop,
  url: string,
): Promise<MadeEndpoint> {
  const { data } = await ask(urls, key, 'POST', '/webhook-endpoints', { url });
  return data as MadeEndpoint;
}

/** One event: a cent for one of the users. */
export async function creditOnce(urls: readonly string[], shop: Shop, at: number): Promise<void> {
  const userId = shop.userIds[at % shop.userIds.length];
  await ask(urls, shop.key, 'POST', `/users/${userId}/balance/credit`, { amount: '0.01' });
}

/** The whole log behind a cursor, as anybody can pull it. */
export async function pullLog(
  urls: readonly string[],
  { key }: Shop,
  after: string | null,
): Promise<LogEvent[]> {
  const events: LogEvent[] = [];
  for (let cursor = after; ; ) {
    const from = cursor === null ? '' : `&after=${cursor}`;
    const page = await ask(urls, key, 'GET', `/events/log?limit=100${from}`);
    const { data, hasMore, nextCursor } = page as unknown as {
      data: LogEvent[];
      hasMore: boolean;
      nextCursor: string | null;
    };
    events.push(...data);
    cursor = nextCursor;
    if (!hasMore) return events;
  }
}
