//! A reader of the event stream over a connection of its own, and events for it to read.
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EventEnvelope } from '@holdfast/contract/events';
import type { Market, World } from './world.ts';

export interface Message {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
}

export interface SseOptions {
  readonly key?: string | undefined;
  readonly query?: string;
  readonly headers?: Record<string, string>;
  readonly agent?: Agent;
}

export interface SseReader {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The first block of every stream: when to reconnect. */
  readonly opening: string;
  /** Everything after it, to the byte. */
  readonly text: string;
  /** All but pings, in the order they came. */
  readonly messages: readonly Message[];
  /** The payloads of the messages, without resets. */
  readonly events: readonly EventEnvelope[];
  readonly isOver: boolean;
  /** Reads nothing more from the connection, until `resume`. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** Starts the server on a free port; returns its base URL. */
export async function listen({ http }: World): Promise<string> {
  if (!http.server.listening) await http.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(http.server.address() as AddressInfo).port}/api/v1`;
}

/** Resolves with the head of the response, and for a refusal with its whole body. */
export async function openSse(
  base: string,
  { key, query = '', headers = {}, agent }: SseOptions,
): Promise<SseReader> {
  const sent = request(`${base}/events${query}`, {
    agent: agent ?? false,
    headers: {
      accept: 'text/event-stream',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
  });
  sent.end();
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('error', reject);
  });
  const reader = readerOf(response, () => sent.destroy());
  if (response.statusCode !== 200) await new Promise((resolve) => response.once('end', resolve));
  return reader;
}

function readerOf(response: IncomingMessage, close: () => void): SseReader {
  const messages: Message[] = [];
  let text = '';
  let rest = '';
  let isOver = false;
  response.setEncoding('utf8');
  response.on('data', (piece: string) => {
    text += piece;
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const message = readMessage(block);
      if (message !== undefined && message.event !== 'ping') messages.push(message);
    }
  });
  // Errors are ignored: the test checks how the stream ended.
  response.on('error', () => undefined);
  response.on('close', () => {
    isOver = true;
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    get opening() {
      return openingOf(text);
    },
    get text() {
      return text.slice(openingOf(text).length);
    },
    messages,
    get events() {
      return messages
        .filter(({ id }) => id !== undefined)
        .map(({ data }) => JSON.parse(data) as EventEnvelope);
    },
    get isOver() {
      return isOver;
    },
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close,
  };
}

function openingOf(text: string): string {
  return /^retry: \d+\n\n/.exec(text)?.[0] ?? '';
}

/** Undefined for what carries no data, such as a `retry:` alone. */
function readMessage(block: string): Message | undefined {
  const field = (name: string) =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${name}: `))
      .map((line) => line.slice(name.length + 2));
  const [data] = field('data');
  if (data === undefined) return undefined;
  return { id: field('id')[0], event: field('event')[0], data };
}

/** This many events at once, not sequenced yet; each carries its number, starting at `first`. */
export async function publish(
  world: World,
  market: Market,
  count: number,
  first = 1,
): Promise<void> {
  await world.rows(
    `insert into outbox (marketplace_id, event_type, aggregate_id, payload, actor_id,
       correlation_id)
     select $1, 'user.created', 'usr_00000000000000000000000000', json_build_object(
       'userId', 'usr_00000000000000000000000000', 'externalUserId', number::text,
       'type', 'BOTH', 'status', 'ACTIVE'), $2, gen_random_uuid()::text
     from generate_series($3::int, $4::int) as number`,
    [market.call.actor.marketplace, market.keyId, first, first + count - 1],
  );
}

/** An event whose type only a newer build knows. */
export async function publishNewer(world: World, market: Market, type: string): Promise<void> {
  await world.rows(
    `insert into outbox (marketplace_id, event_type, aggregate_id, payload, actor_id,
       correlation_id) values ($1, $2, 'ord_00000000000000000000000000', '{}', $3, 'newer')`,
    [market.call.actor.marketplace, type, market.keyId],
  );
  await world.sequence();
}

export async function publishSequenced(...args: Parameters<typeof publish>): Promise<void> {
  await publish(...args);
  await args[0].sequence();
}

/** The numbers that `publish` gave, in the order they came. */
export function numbersOf(events: readonly EventEnvelope[]): number[] {
  return events.map(({ payload }) =>
    Number((payload as { externalUserId: string }).externalUserId),
  );
}

/** This many numbers, in order. */
export function upTo(count: number, first = 1): number[] {
  return Array.from({ length: count }, (_, at) => first + at);
}
