//! Stands between the workers and the ledger network, and has the sandbox fail at one step of one
//! request: faults of the sandbox itself strike whoever comes next.
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type pg from 'pg';

export type NetworkFault = 'reject' | 'drop-after' | 'no-contract-id';

export interface FaultyNetwork {
  readonly url: string;
  /** `step` as failpoints name it, such as `release-order:release-2`. Strikes once. */
  arm(requestId: string, step: string, fault: NetworkFault): void;
  /** False once it has struck. */
  isArmed(requestId: string): boolean;
  /** Where envelopes are written down, and with them what each is for. */
  watch(database: pg.Pool): void;
  stop(): Promise<void>;
}

interface Armed {
  readonly step: string;
  readonly fault: NetworkFault;
}

export async function openFaultyNetwork(sandbox: string): Promise<FaultyNetwork> {
  const armed = new Map<string, Armed>();
  const agent = new http.Agent({ keepAlive: true });
  let database: pg.Pool | undefined;
  // One at a time: what is armed at the sandbox must strike the very next submission.
  let submissions: Promise<unknown> = Promise.resolve();
  const submit = async (request: IncomingMessage, body: Buffer, response: ServerResponse) => {
    const purpose = database && (await purposeOf(database, body));
    const found = purpose && armed.get(purpose.requestId);
    if (found !== undefined && found.step === purpose?.step) {
      armed.delete(purpose.requestId);
      await armSandbox(sandbox, found.fault);
    }
    await forward(agent, sandbox, request, body, response);
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request);
    const isSubmission = request.method === 'POST' && request.url?.endsWith('/transactions');
    if (!isSubmission) return forward(agent, sandbox, request, body, response);
    submissions = submissions.catch(() => undefined).then(() => submit(request, body, response));
    await submissions;
  };
  const server = http.createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arm: (requestId, step, fault) => void armed.set(requestId, { step, fault }),
    isArmed: (requestId) => armed.has(requestId),
    watch: (pool) => {
      database = pool;
    },
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      agent.destroy();
      await closed;
    },
  };
}

interface Purpose {
  readonly requestId: string;
  readonly step: string;
}

/** What is sent was written down before, with its operation; that knows its request. */
async function purposeOf(database: pg.Pool, body: Buffer): Promise<Purpose | undefined> {
  const tx = new URLSearchParams(body.toString()).get('tx');
  const { rows } = await database.query<Purpose>(
    `select operation.correlation_id as "requestId", regexp_replace(purpose, ':op_\\w+$', '') as step
     from envelope join operation on operation.marketplace_id = envelope.marketplace_id
       and operation.id = substring(purpose from 'op_\\w+$')
     where envelope.state = 'OPEN' and envelope.xdr = $1`,
    [tx],
  );
  return rows[0];
}

async function armSandbox(sandbox: string, fault: NetworkFault): Promise<void> {
  const at =
    fault === 'no-contract-id'
      ? { provider: 'escrow', operation: 'deploy' }
      : { provider: 'ledger', operation: 'submit' };
  const answer = await fetch(`${sandbox}/control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...at, kind: fault, times: 1 }),
  });
  if (!answer.ok) throw new Error(`the sandbox takes no fault: ${await answer.text()}`);
}

/** A connection that is cut there is cut here. Whoever has gone meanwhile gets no answer. */
function forward(
  agent: http.Agent,
  sandbox: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<void> {
  return new Promise((resolve) => {
    const cut = () => {
      response.destroy();
      resolve();
    };
    const onward = http.request(`${sandbox}${url}`, { method, headers, agent }, (answer) => {
      buffer(answer).then((answered) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers).end(answered);
        resolve();
      }, cut);
    });
    onward.once('error', cut);
    onward.end(body);
  });
}
