//! Stands between the workers and the ledger network, and holds a submission for as long as a test
//! wants: a drive that is in the middle of something.
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type pg from 'pg';

export interface Held {
  /** Resolves when the submission stands at the gate. */
  readonly arrived: Promise<void>;
  /** Lets it pass. Resolves when it has; true when somebody was still there to be answered. */
  open(): Promise<boolean>;
}

export interface Gate {
  readonly url: string;
  /**
   * Holds the next submission for a step (`release-order:release-2`) of a request: before the
   * network sees it, or after, so that only the answer is missing.
   */
  hold(requestId: string, step: string, when: 'before' | 'after'): Held;
  /** Where envelopes are written down, and with them what each is for. */
  watch(database: pg.Pool): void;
  stop(): Promise<void>;
}

interface Hold {
  readonly when: 'before' | 'after';
  readonly arrive: () => void;
  readonly opened: Promise<void>;
  readonly end: (isAnswered: boolean) => void;
}

export async function openGate(onward: string): Promise<Gate> {
  const holds = new Map<string, Hold>();
  let database: pg.Pool | undefined;
  const take = async (body: Buffer): Promise<Hold | undefined> => {
    const purpose = database && holds.size > 0 ? await purposeOf(database, body) : '';
    const hold = holds.get(purpose);
    holds.delete(purpose);
    return hold;
  };
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const isSubmission = request.method === 'POST' && request.url?.endsWith('/transactions');
    const hold = isSubmission ? await take(body) : undefined;
    if (hold?.when === 'before') await stand(hold);
    const answer = await send(`${onward}${request.url}`, request, body);
    if (hold?.when === 'after') await stand(hold);
    const isThere = !response.destroyed && answer !== undefined;
    if (answer === undefined) response.destroy();
    else response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
    hold?.end(isThere);
  };
  const server = http.createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (requestId, step, when) => {
      const [arrived, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const ended = Promise.withResolvers<boolean>();
      holds.set(`${requestId} ${step}`, {
        when,
        arrive: arrived.resolve,
        opened: opened.promise,
        end: ended.resolve,
      });
      const open = () => {
        opened.resolve();
        return ended.promise;
      };
      return { arrived: arrived.promise, open };
    },
    watch: (pool) => {
      database = pool;
    },
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function stand({ arrive, opened }: Hold): Promise<void> {
  arrive();
  await opened;
}

/** What is sent was written down before, with its operation; that knows its request. */
async function purposeOf(database: pg.Pool, body: Buffer): Promise<string> {
  const tx = new URLSearchParams(body.toString()).get('tx');
  const { rows } = await database.query<{ purpose: string }>(
    `select operation.correlation_id || ' ' || regexp_replace(purpose, ':op_\\w+$', '') as purpose
     from envelope join operation on operation.marketplace_id = envelope.marketplace_id
       and operation.id = substring(purpose from 'op_\\w+$')
     where envelope.state = 'OPEN' and envelope.xdr = $1`,
    [tx],
  );
  return rows[0]?.purpose ?? '';
}

/** Undefined when the connection was cut: then it is cut here too. */
async function send(url: string, { method = 'GET', headers }: IncomingMessage, body: Buffer) {
  const type = headers['content-type'];
  const answer = await fetch(url, {
    method,
    ...(type === undefined ? {} : { headers: { 'content-type': type } }),
    ...(method === 'GET' ? {} : { body: new Uint8Array(body) }),
  }).catch(() => undefined);
  if (answer === undefined) return undefined;
  return {
    status: answer.status,
    type: answer.headers.get('content-type') ?? 'application/json',
    body: Buffer.from(await answer.arrayBuffer()),
  };
}
