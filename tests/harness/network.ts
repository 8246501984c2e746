//! A proxy between the workers and the Stellar network. It fails one step of one request, while
//! faults of the sandbox itself hit the next caller. Or it holds a submission as long as a test
//! needs, so that an attempt stays unfinished.
import http, { type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type pg from 'pg';
import { armFault } from './sandbox.ts';
import { type Served, serve } from './serve.ts';

export type NetworkFault = 'reject' | 'drop-after' | 'no-contract-id';

export interface Held {
  /** Resolves when the submission has reached the proxy. */
  readonly arrived: Promise<void>;
  /**
   * Lets the submission pass. Resolves afterwards; true if the worker still waited for the reply.
   */
  open(): Promise<boolean>;
}

export interface Network extends Served {
  /** `step` as failpoints name it, such as `release-order:release-2`. The fault fires once. */
  arm(requestId: string, step: string, fault: NetworkFault): void;
  /** False once the fault has fired. */
  isArmed(requestId: string): boolean;
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

/** Keyed by request and step. */
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
  const submit = (purpose: string, send: () => Promise<Passed>): Promise<Passed> => {
    const submitted = submissions.then(async () => {
      const fault = take(plans.faults, purpose);
      if (fault !== undefined) await armSandbox(sandbox, fault);
      return send();
    });
    submissions = submitted.catch(() => undefined);
    return submitted;
  };
  const served = await serve(async (request, body, response) => {
    const send = () => forward(agent, sandbox, request, body);
    const isSubmission = request.method === 'POST' && request.url?.endsWith('/transactions');
    const purpose = isSubmission && database ? await purposeOf(database, body) : '';
    const hold = take(plans.holds, purpose);
    if (hold?.when === 'before') await stand(hold);
    const reply = isSubmission ? await submit(purpose, send) : await send();
    if (hold?.when === 'after') await stand(hold);
    hold?.ended.resolve(!response.destroyed && reply !== undefined);
    // A connection that the sandbox cuts is cut here too.
    if (reply === undefined) response.destroy();
    else response.writeHead(reply.status, reply.headers).end(reply.body);
  });
  return {
    url: served.url,
    arm: (requestId, step, fault) => void plans.faults.set(`${requestId} ${step}`, fault),
    isArmed: (requestId) => [...plans.faults.keys()].some((key) => key.startsWith(requestId)),
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

function take<T>(plans: Map<string, T>, purpose: string): T | undefined {
  const plan = plans.get(purpose);
  plans.delete(purpose);
  return plan;
}

async function stand({ arrived, opened }: Hold): Promise<void> {
  arrived.resolve();
  await opened.promise;
}

/**
 * An envelope is stored with its operation before it is sent, and the operation has the request id.
 */
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

function armSandbox(sandbox: string, kind: NetworkFault): Promise<void> {
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
type Passed = ForwardedResponse | undefined;

function forward(
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
