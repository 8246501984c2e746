//! Endpoints that fail a fifth of the time: refusals, cut connections, late responses, and none at
//! all.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomOf, type SeededRandom } from '../../harness/random.ts';
import { serve } from '../../harness/serve.ts';

export interface Arrival {
  readonly eventId: string;
  readonly marketplaceId: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The messages of one endpoint, in the order of arrival. */
export interface Inbox {
  readonly arrivals: Arrival[];
  /** Ids in the order of their first arrival. */
  readonly firsts: Set<string>;
  /** Messages that should not have been sent. */
  readonly wrong: string[];
  readonly faults: Record<FaultKind, number>;
  secret: string;
}

export type FaultKind = 'refused' | 'reset' | 'late refusal' | 'hung' | 'late response';

export interface Receivers {
  readonly inboxes: readonly Inbox[];
  urlOf(index: number): string;
  close(): Promise<void>;
}

const FAIL_PERCENT = 20;
const LATE_PERCENT = 3;
const LATE_MS = { least: 50, spread: 300 };
const TOLERANCE_S = 300;

/** The first number of the random sequences. */
const RANDOM_STREAM = 100;

export async function openReceivers(
  count: number,
  hangs: number,
  seed: number,
): Promise<Receivers> {
  const inboxes = Array.from({ length: count }, newInbox);
  const randoms = inboxes.map((_, at) => randomOf(seed, RANDOM_STREAM + at));
  const served = await serve((request, body, response) => {
    const index = Number(request.url?.slice(1));
    const [inbox, random] = [inboxes[index], randoms[index]];
    if (inbox === undefined || random === undefined) throw new Error('no endpoint has this path');
    record(inbox, request.headers, body);
    return respond(inbox, response, random, hangs);
  });
  return { inboxes, urlOf: (index) => `${served.url}/${index}`, close: served.close };
}

function newInbox(): Inbox {
  const faults = { refused: 0, reset: 0, 'late refusal': 0, hung: 0, 'late response': 0 };
  return { arrivals: [], firsts: new Set(), wrong: [], faults, secret: '' };
}

function record(inbox: Inbox, headers: IncomingHttpHeaders, body: Buffer): void {
  const { eventId, metadata } = JSON.parse(body.toString()) as {
    eventId: string;
    metadata: { marketplaceId: string };
  };
  const fault = faultOf(inbox.secret, headers, body, eventId);
  if (fault !== undefined) inbox.wrong.push(`${eventId}: ${fault}`);
  inbox.arrivals.push({ eventId, marketplaceId: metadata.marketplaceId, at: Date.now() });
  inbox.firsts.add(eventId);
}

/** Checks a message as any receiver would that knows only the standard. */
export function faultOf(
  secret: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
  eventId: string,
): string | undefined {
  const [id, timestamp] = [headers['webhook-id'], String(headers['webhook-timestamp'])];
  if (id !== eventId) return 'the id is not that of the event';
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_S) return 'the time is wrong';
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  const isGood = String(headers['webhook-signature'])
    .split(' ')
    .map((each) => Buffer.from(each.replace(/^v1,/, ''), 'base64'))
    .some((mac) => mac.length === expected.length && timingSafeEqual(mac, expected));
  return isGood ? undefined : 'the signature is wrong';
}

async function respond(
  inbox: Inbox,
  response: ServerResponse,
  random: SeededRandom,
  hangs: number,
): Promise<void> {
  const { faults } = inbox;
  if (!random.percent(FAIL_PERCENT)) {
    if (random.percent(LATE_PERCENT)) {
      faults['late response'] += 1;
      await sleep(LATE_MS.least + random.below(LATE_MS.spread));
    }
    response.end('ok');
    return;
  }
  // Spread over the first hundred failures, so that they do not all come at once.
  if (faults.hung < hangs && random.percent(3)) {
    faults.hung += 1;
    return;
  }
  const kind = random.oneOf(['refused', 'refused', 'reset', 'late refusal'] as const);
  faults[kind] += 1;
  if (kind === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  if (kind === 'late refusal') await sleep(LATE_MS.least + random.below(LATE_MS.spread));
  response.writeHead(500).end('not now');
}
