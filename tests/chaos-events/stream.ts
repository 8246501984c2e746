//! One connection to the stream, until it is cut by us or dropped by the other side.
import http from 'node:http';
import { type Chance, chanceOf } from '../harness/chance.ts';
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
  /** Of an answer that is no stream. */
  readonly status?: number;
  readonly body?: string;
}

export interface StreamPlan {
  /** Cut after this time; never when unset. */
  readonly lifeMs?: number;
  /** Cut within a piece that comes in, wherever chance has it. */
  readonly isTorn: boolean;
  /** Takes a breath after every piece, so that the other side has to wait. */
  readonly isSlow: boolean;
}

export interface StreamListener {
  opened: () => void;
  received: (message: Message) => void;
}

const ANSWER_MS_MAX = 5000;
const BREATH_MS_MAX = 60;
const agent = new http.Agent({ keepAlive: false });

export function openStream(
  url: string,
  headers: Record<string, string>,
  plan: StreamPlan,
  chance: Chance,
  listener: StreamListener,
  signal: AbortSignal,
): Promise<StreamEnd> {
  return new Promise((resolve) => {
    const request = http.get(url, { headers, agent });
    let isOpen = false;
    const end = (result: StreamEnd) => {
      clearTimeout(life);
      clearTimeout(patience);
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
    const patience = setTimeout(() => end({ how: 'unreachable' }), ANSWER_MS_MAX);
    signal.addEventListener('abort', cut);
    request.on('error', () => end({ how: isOpen ? 'dropped' : 'unreachable' }));
    request.on('response', (response) => {
      clearTimeout(patience);
      if (!isStream(response)) {
        void bodyOf(response).then((body) =>
          end({ how: 'refused', status: response.statusCode ?? 0, body }),
        );
        return;
      }
      isOpen = true;
      listener.opened();
      response.on('data', (piece: Buffer) => {
        const isTearing = plan.isTorn && chance.percent(50);
        const kept = isTearing ? piece.subarray(0, chance.below(piece.length)) : piece;
        for (const message of reader.read(kept)) listener.received(message);
        if (isTearing) cut();
        else if (plan.isSlow) takeBreath(response, chance);
      });
      response.on('error', () => end({ how: 'dropped' }));
      response.on('close', () => end({ how: 'dropped' }));
    });
  });
}

/** One who only listens, for so long or until it is over. */
export interface Listening {
  /** It has been, at least. */
  isOpen: boolean;
  heard: number;
  end?: StreamEnd;
  readonly ended: Promise<void>;
}

export function listen(url: string, key: string, signal: AbortSignal, lifeMs?: number): Listening {
  const steady = { isTorn: false, isSlow: false, ...(lifeMs === undefined ? {} : { lifeMs }) };
  const headers = { authorization: `Bearer ${key}` };
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const listening: Listening = { isOpen: false, heard: 0, ended };
  const listener = {
    opened: () => {
      listening.isOpen = true;
    },
    received: () => {
      listening.heard += 1;
    },
  };
  const stream = `${url}/api/v1/events`;
  void openStream(stream, headers, steady, chanceOf(0, 0), listener, signal).then((end) => {
    listening.end = end;
    resolve();
  });
  return listening;
}

function takeBreath(response: http.IncomingMessage, chance: Chance): void {
  response.pause();
  setTimeout(() => response.resume(), chance.below(BREATH_MS_MAX));
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
