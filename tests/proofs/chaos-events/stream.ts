//! One connection to the stream, until the consumer cuts it or the server drops it.
import http from 'node:http';
import { randomOf, type SeededRandom } from '../../harness/random.ts';
import { type Message, messageReader } from './sse.ts';

type Ending =
  | 'cut before it was open'
  | 'cut'
  | 'cut in a message'
  | 'dropped'
  | 'refused'
  | 'unreachable';

export interface StreamEnd {
  readonly how: Ending;
  /** Of a response that is no stream. */
  readonly status?: number;
  readonly body?: string;
}

export interface StreamPlan {
  /** Cut after this time; never when unset. */
  readonly lifeMs?: number;
  /** Cut inside an incoming chunk, at a random byte. */
  readonly isTorn: boolean;
  /** Pauses after every chunk, so that the server has to wait. */
  readonly isSlow: boolean;
}

export interface StreamListener {
  opened: () => void;
  received: (message: Message) => void;
}

const RESPONSE_TIMEOUT_MS = 5000;
const BREATH_MS_MAX = 60;
const agent = new http.Agent({ keepAlive: false });

export function openStream(
  url: string,
  headers: Record<string, string>,
  plan: StreamPlan,
  random: SeededRandom,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<StreamEnd> {
  return new Promise((resolve) => {
    const request = http.get(url, { headers, agent });
    let isOpen = false;
    const end = (result: StreamEnd) => {
      clearTimeout(life);
      clearTimeout(retryPolicy);
      signal.removeEventListener('abort', cut);
      request.destroy();
      resolve(result);
    };
    const reader = messageReader();
    const cut = () => {
      if (!isOpen) end({ how: 'cut before it was open' });
      else end({ how: reader.isMidMessage() ? 'cut in a message' : 'cut' });
    };
    const life = plan.lifeMs === undefined ? undefined : setTimeout(cut, plan.lifeMs);
    const retryPolicy = setTimeout(() => end({ how: 'unreachable' }), RESPONSE_TIMEOUT_MS);
    signal.addEventListener('abort', cut);
    request.on('error', () => end({ how: isOpen ? 'dropped' : 'unreachable' }));
    request.on('response', (response) => {
      clearTimeout(retryPolicy);
      if (!isStream(response)) {
        void bodyOf(response).then((body) =>
          end({ how: 'refused', status: response.statusCode ?? 0, body }),
        );
        return;
      }
      isOpen = true;
      listener.opened();
      response.on('data', (piece: Buffer) => {
        const isTearing = plan.isTorn && random.percent(50);
        const passed = isTearing ? piece.subarray(0, random.below(piece.length)) : piece;
        for (const message of reader.read(passed)) listener.received(message);
        if (isTearing) cut();
        else if (plan.isSlow) takeBreath(response, random);
      });
      response.on('error', () => end({ how: 'dropped' }));
      response.on('close', () => end({ how: 'dropped' }));
    });
  });
}

/** A reader that only counts messages, for a fixed time or until it is aborted. */
export interface Listening {
  /** True once the stream has been open. */
  isOpen: boolean;
  received: number;
  end?: StreamEnd;
  readonly ended: Promise<void>;
}

export function listen(url: string, key: string, signal: AbortSignal, lifeMs?: number): Listening {
  const steady = { isTorn: false, isSlow: false, ...(lifeMs === undefined ? {} : { lifeMs }) };
  const headers = { authorization: `Bearer ${key}` };
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const listening: Listening = { isOpen: false, received: 0, ended };
  const listener = {
    opened: () => {
      listening.isOpen = true;
    },
    received: () => {
      listening.received += 1;
    },
  };
  const stream = `${url}/api/v1/events`;
  void openStream(stream, headers, steady, randomOf(0, 0), listener, signal).then((end) => {
    listening.end = end;
    resolve();
  });
  return listening;
}

function takeBreath(response: http.IncomingMessage, random: SeededRandom): void {
  response.pause();
  setTimeout(() => response.resume(), random.below(BREATH_MS_MAX));
}

function isStream(response: http.IncomingMessage): boolean {
  const type = response.headers['content-type'] ?? '';
  return response.statusCode === 200 && type.startsWith('text/event-stream');
}

async function bodyOf(response: http.IncomingMessage): Promise<string> {
  try {
    const pieces = (await response.toArray()) as Buffer[];
    return Buffer.concat(pieces).toString();
  } catch {
    return '';
  }
}
