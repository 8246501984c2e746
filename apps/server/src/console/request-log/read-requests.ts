//! Reads the log of requests, and the uses of an Idempotency-Key.

import type { Instant } from '@holdfast/kernel/clock';
import type { Call } from '../../platform/call.ts';
import { scopeHashOf } from '../../platform/database/idempotency-scope.ts';
import { type Page, type PageQuery, pageOf, pageSizeOf } from '../../platform/database/page.ts';
import { read, type Transactor, type Tx } from '../../platform/database/transact.ts';
import { shownTo } from '../../platform/mask.ts';
import { familyOf, findIdempotencyRecord, type IdempotencyRecord } from './idempotency-record.ts';
import {
  type LoggedRequest,
  listKeyUses,
  listRequestRows,
  type RequestFilter,
} from './logged-request.ts';

/** GET /request-log: the requests of the last days, newest first. */
export async function listRequests(
  app: Transactor,
  call: Call,
  query: PageQuery & RequestFilter,
): Promise<Page<LoggedRequest>> {
  return read(app, call, async (tx) =>
    pageOf(query, async (after, count) =>
      shownTo(call.actor, await listRequestRows(tx, query, after, count)),
    ),
  );
}

export interface KeyUse {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly actorId: string;
  readonly firstSeenAt: Instant;
  readonly lastSeenAt: Instant;
  readonly requests: number;
  readonly replays: number;
  readonly stored: IdempotencyRecord | null;
  readonly lastStatus: number;
  readonly requestIds: readonly string[];
}

/** The most uses that are read; a key repeated more often is cut off here. */
const REQUESTS_MAX = 1000;
const IDS_MAX = 20;

/**
 * GET /idempotency-keys: the uses of an Idempotency-Key and the records stored under it. A stored
 * response has only a hash of key family, method, path and key. The request log knows the routes
 * that received the key, which gives the hash again.
 */
export async function listIdempotencyKeys(
  app: Transactor,
  call: Call,
  query: PageQuery & { readonly key: string },
): Promise<Page<KeyUse>> {
  return read(app, call, async (tx) => {
    const key = query.key.toLowerCase();
    const byScope = new Map<string, LoggedRequest[]>();
    const families = new Map<string, string>();
    for (const each of await listKeyUses(tx, key, REQUESTS_MAX)) {
      const family = families.get(each.actorId) ?? (await familyOf(tx, each.actorId));
      families.set(each.actorId, family);
      const scope = scopeHashOf(family, each.method, each.path, key);
      byScope.set(scope, [...(byScope.get(scope) ?? []), each]);
    }
    const items: KeyUse[] = [];
    const { cursor } = query;
    const left = [...byScope].filter(([, uses]) => cursor === undefined || newestOf(uses) < cursor);
    const page = left.slice(0, pageSizeOf(query));
    for (const [scope, uses] of page) items.push(await useOf(tx, key, scope, uses));
    const last = page.at(-1);
    const hasMore = left.length > page.length && last !== undefined;
    return { items, hasMore, nextCursor: hasMore ? newestOf(last[1]) : null };
  });
}

/** The newest use of a route names its place in the list. */
function newestOf([newest]: readonly LoggedRequest[]): string {
  return newest?.id ?? '';
}

/** Of one route, newest first. */
async function useOf(
  tx: Tx,
  key: string,
  scope: string,
  uses: readonly LoggedRequest[],
): Promise<KeyUse> {
  const [newest, oldest] = [uses.at(0) as LoggedRequest, uses.at(-1) as LoggedRequest];
  return {
    key,
    method: newest.method,
    path: newest.path,
    actorId: newest.actorId,
    firstSeenAt: oldest.at,
    lastSeenAt: newest.at,
    requests: uses.length,
    replays: uses.filter(({ isReplay }) => isReplay).length,
    stored: await findIdempotencyRecord(tx, scope),
    lastStatus: newest.status,
    requestIds: uses.slice(0, IDS_MAX).map(({ requestId }) => requestId),
  };
}
