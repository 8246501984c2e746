//! Horizon's lists: a page of JSON, or an open stream, from the same cursor.
import type { ServerResponse } from 'node:http';
import { type Exchange, sendJson } from '../router.ts';
import type { World } from '../world.ts';
import type { PageQuery, Sequenced } from './archive.ts';

const LIMIT = { usual: 10, most: 200 };
const BEAT_MS = 10_000;

export interface List<T extends Sequenced> {
  readonly find: (query: PageQuery) => readonly T[];
  readonly view: (base: string, item: T) => Record<string, unknown>;
}

export function sendList<T extends Sequenced>(
  world: World,
  exchange: Exchange,
  list: List<T>,
  account?: string,
): void {
  const isStream = exchange.request.headers.accept?.includes('text/event-stream');
  if (isStream) streamList(world, exchange, list, account);
  else sendPage(exchange, list, account);
}

function sendPage<T extends Sequenced>(
  { url, request, response }: Exchange,
  { find, view }: List<T>,
  account: string | undefined,
): void {
  const query = readQuery(url, account);
  const base = horizonUrl(request.headers.host);
  const found = find(query);
  const self = `${base}${url.pathname.replace(/^\/horizon/, '')}`;
  const link = (cursor: bigint | string | undefined, order: string) => ({
    href: `${self}?cursor=${cursor ?? ''}&limit=${query.limit}&order=${order}`,
  });
  const back = query.order === 'asc' ? 'desc' : 'asc';
  const given = url.searchParams.get('cursor') ?? '';
  sendJson(response, 200, {
    _links: {
      self: link(given, query.order),
      next: link(found.at(-1)?.token ?? given, query.order),
      prev: link(found[0]?.token ?? given, back),
    },
    _embedded: { records: found.map((item) => view(base, item)) },
  });
}

/** Every record after the cursor, then new ones: each read starts where the last one ended. */
function streamList<T extends Sequenced>(
  world: World,
  { url, request, response }: Exchange,
  { find, view }: List<T>,
  account: string | undefined,
): void {
  const base = horizonUrl(request.headers.host);
  let cursor = streamStart(request.headers['last-event-id'], url, find, account);
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  response.write('retry: 1000\nevent: open\ndata: "hello"\n\n');
  const send = () => {
    for (;;) {
      const found = find({ account, cursor, order: 'asc', limit: LIMIT.most });
      for (const item of found) {
        response.write(`id: ${item.token}\ndata: ${JSON.stringify(view(base, item))}\n\n`);
        cursor = item.token;
      }
      if (found.length < LIMIT.most) return;
    }
  };
  send();
  streamUntilClosed(response, world.ledger.onApplied(send));
}

function streamUntilClosed(response: ServerResponse, stop: () => void): void {
  const beat = setInterval(() => response.write(': still here\n\n'), BEAT_MS);
  beat.unref();
  response.on('close', () => {
    clearInterval(beat);
    stop();
  });
}

function streamStart<T extends Sequenced>(
  lastEventId: string | string[] | undefined,
  url: URL,
  find: List<T>['find'],
  account: string | undefined,
): bigint {
  const given = typeof lastEventId === 'string' ? lastEventId : url.searchParams.get('cursor');
  if (given !== null && /^\d{1,19}$/.test(given)) return BigInt(given);
  if (given !== 'now') return 0n;
  return find({ account, order: 'desc', limit: 1 })[0]?.token ?? 0n;
}

function readQuery(url: URL, account: string | undefined): PageQuery {
  const { searchParams } = url;
  const limit = searchParams.get('limit') ?? '';
  const cursor = searchParams.get('cursor') ?? '';
  return {
    account,
    order: searchParams.get('order') === 'desc' ? 'desc' : 'asc',
    limit: /^\d{1,3}$/.test(limit) ? Math.min(Math.max(+limit, 1), LIMIT.most) : LIMIT.usual,
    cursor: /^\d{1,19}$/.test(cursor) ? BigInt(cursor) : undefined,
  };
}

/** Links lead back to where the caller came in. */
export function horizonUrl(host: string | undefined): string {
  return `http://${host ?? '127.0.0.1'}/horizon`;
}
