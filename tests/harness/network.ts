//! A proxy between the workers and the Stellar network. It fails one step of one request, while
//! faults of the sandbox itself hit the next caller. Or it holds a submission as long as a test
//! needs, so that an attempt stays unfinished.
import http, { type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { armFault } from './sandbox.ts';
import { type Served, serve } from './serve.ts';

/**
 * `late`: the reply takes longer than the sweeper waits for a sign of life. `doubled`: the network
 * gets the call twice, and the worker gets the second reply.
 */
export type NetworkFault = 'reject' | 'drop-after' | 'no-contract-id' | 'late' | 'doubled';

const LATE_MS = 12_000;

export interface Held {
  /** Resolves when the submission has reached the proxy. */
  readonly arrived: Promise<void>;
  /**
   * Lets the submission pass. Resolves afterwards; true if the worker still waited for the reply.
   */
  open(): Promise<boolean>;
}

export interface Network extends Served {
  /**
   * `step` as failpoints name it, such as `release-order:release-2`. The owner is a request; for
   * the steps `mirror` and `deposits` it is a user. The fault fires once.
   */
  arm(owner: string, step: string, fault: NetworkFault): void;
  /** False once the fault has fired. */
  isArmed(owner: string): boolean;
  /** Holds the next submission for a step: before the network gets it, or only its reply. */
  hold(requestId: string, step: string, when: 'before' | 'after'): Held;
  /** The database with the envelopes and the purpose of each. */
  watch(database: pg.Pool): void;
}

interface Hold {
  readonly when: 'before' | 'after';
  readonly arrived: PromiseWithResolvers<void>;
  readonly opened: PromiseWithResolvers<void>;
  readonly ended: PromiseWithResolvers<boolean>;
}

/** Keyed by owner and step. */
interface Plans {
  readonly faults: Map<string, NetworkFault>;
  readonly holds: Map<string, Hold>;
}

export async function openNetwork(sandbox: string): Promise<Network> {
  const plans: Plans = { faults: new Map(), holds: new Map() };
  const agent = new http.Agent({ keepAlive: true });
  let database: pg.Pool | undefined;
  // One at a time: a fault armed at the sandbox must hit the very next submission.
  let submissions: Promise<unknown> = Promise.resolve();
  const submit = (purposes: readonly string[], send: () => Promise<Passed>): Promise<Passed> => {
    const submitted = submissions.then(async () => {
      const fault = take(plans.faults, purposes);
      if (fault === 'doubled') await send();
      else if (fault !== undefined && fault !== 'late') await armSandbox(sandbox, fault);
      return { fault, reply: await send() };
    });
    submissions = submitted.catch(() => undefined);
    // Only its own reply is late, not the submissions after it.
    return submitted.then(async ({ fault, reply }) => {
      if (fault === 'late') await sleep(LATE_MS, undefined, { ref: false });
      return reply;
    });
  };
  const served = await serve(async (request, body, response) => {
    const send = () => forward(agent, sandbox, request, body);
    const isSubmission = request.method === 'POST' && request.url?.endsWith('/transactions');
    const purposes = isSubmission && database ? await purposesOf(database, body) : [];
    const hold = take(plans.holds, purposes);
    if (hold?.when === 'before') await stand(hold);
    const isFeed = request.method === 'GET' && FEED.test(request.url ?? '');
    const reply = isSubmission
      ? await submit(purposes, send)
      : isFeed && database
        ? await readFeed(database, plans.faults, send)
        : await send();
    if (hold?.when === 'after') await stand(hold);
    hold?.ended.resolve(!response.destroyed && reply !== undefined);
    // A connection that the sandbox cuts is cut here too.
    if (reply === undefined) response.destroy();
    else response.writeHead(reply.status, reply.headers).end(reply.body);
  });
  return {
    url: served.url,
    arm: (owner, step, fault) => void plans.faults.set(`${owner} ${step}`, fault),
    isArmed: (owner) => [...plans.faults.keys()].some((key) => key.startsWith(owner)),
    hold: (requestId, step, when) => {
      const hold: Hold = {
        when,
        arrived: Promise.withResolvers(),
        opened: Promise.withResolvers(),
        ended: Promise.withResolvers(),
      };
      plans.holds.set(`${requestId} ${step}`, hold);
      const open = () => {
        hold.opened.resolve();
        return hold.ended.promise;
      };
      return { arrived: hold.arrived.promise, open };
    },
    watch: (pool) => {
      database = pool;
    },
    close: async () => {
      agent.destroy();
      await served.close();
    },
  };
}

/** The plan of the first purpose that has one. */
function take<T>(plans: Map<string, T>, purposes: readonly string[]): T | undefined {
  const planned = purposes.find((purpose) => plans.has(purpose)) ?? '';
  const plan = plans.get(planned);
  plans.delete(planned);
  return plan;
}

/** All payments of the network, from a cursor on. */
const FEED = /^\/horizon\/payments\?/;
const FEED_STEP = ' deposits';

/** A fault fires at the first page that shows a payment to the address of its user. */
async function readFeed(
  database: pg.Pool,
  faults: Map<string, NetworkFault>,
  send: () => Promise<Passed>,
): Promise<Passed> {
  const page = await send();
  const armed = [...faults.keys()].filter((key) => key.endsWith(FEED_STEP));
  if (page === undefined || armed.length === 0) return page;
  const { rows } = await database.query<{ user_id: string; address: string }>(
    'select user_id, address from wallet where user_id = any ($1)',
    [armed.map((key) => key.replace(FEED_STEP, ''))],
  );
  const text = page.body.toString();
  const paid = rows.filter(({ address }) => text.includes(`"to":"${address}"`));
  const fault = take(
    faults,
    paid.map(({ user_id: userId }) => userId + FEED_STEP),
  );
  if (fault === 'doubled') return send();
  if (fault === 'late') await sleep(LATE_MS, undefined, { ref: false });
  return fault === 'drop-after' ? undefined : page;
}

async function stand({ arrived, opened }: Hold): Promise<void> {
  arrived.resolve();
  await opened.promise;
}

/**
 * An envelope is stored before it is sent: with its operation, which has the request id, or with a
 * batch of the mirror, which has the users.
 */
async function purposesOf(database: pg.Pool, body: Buffer): Promise<string[]> {
  const tx = new URLSearchParams(body.toString()).get('tx');
  const { rows } = await database.query<{ purpose: string }>(
    `select operation.correlation_id || ' ' || regexp_replace(purpose, ':op_\\w+$', '') as purpose
     from envelope join operation on operation.marketplace_id = envelope.marketplace_id
       and operation.id = substring(purpose from 'op_\\w+$')
     where envelope.state = 'OPEN' and envelope.xdr = $1
     union all select item.user_id || ' mirror'
     from envelope join mirror_item item on item.marketplace_id = envelope.marketplace_id
       and item.batch_id = substring(purpose from 'op_\\w+$')
     where envelope.state = 'OPEN' and envelope.xdr = $1`,
    [tx],
  );
  return rows.map(({ purpose }) => purpose);
}

function armSandbox(
  sandbox: string,
  kind: Exclude<NetworkFault, 'late' | 'doubled'>,
): Promise<void> {
  const at =
    kind === 'no-contract-id'
      ? { provider: 'escrow', operation: 'deploy' }
      : { provider: 'ledger', operation: 'submit' };
  return armFault(sandbox, { ...at, kind, times: 1 });
}

interface ForwardedResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Undefined if the connection was cut. */
export type Passed = ForwardedResponse | undefined;

export function forward(
  agent: http.Agent,
  sandbox: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<Passed> {
  return new Promise((resolve) => {
    const cut = () => resolve(undefined);
    const onward = http.request(`${sandbox}${url}`, { method, headers, agent }, (reply) => {
      const { statusCode: status = 502 } = reply;
      const whole = (read: Buffer) => resolve({ status, headers: reply.headers, body: read });
      buffer(reply).then(whole, cut);
    });
    onward.once('error', cut);
    onward.end(body);
  });
}
