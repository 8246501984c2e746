//! A proxy between the service and the payment provider. It fails one call of one payment, while
//! faults of the sandbox itself hit the next caller.
import http, { type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { forward, type Passed } from './network.ts';
import { type Served, serve } from './serve.ts';

/**
 * `late`: the reply arrives when the caller waits no longer. `doubled`: the provider gets the call
 * twice, and the caller gets the second reply.
 */
export type PaymentFault = 'reject' | 'drop-after' | 'late' | 'doubled';

export type PaymentCall =
  | 'payin.create'
  | 'payin.cancel'
  | 'payin.find'
  | 'payout.create'
  | 'payout.commit'
  | 'payout.cancel'
  | 'payout.find';

export interface PaymentProxy extends Served {
  /** By the request that started the operation, or by our id of the payment. It fires once. */
  arm(owner: string, call: PaymentCall, fault: PaymentFault): void;
  /** False once the fault has fired. */
  isArmed(owner: string): boolean;
  /** The database with the operations and the request of each. */
  watch(database: pg.Pool): void;
}

export async function openPaymentProxy(sandbox: string): Promise<PaymentProxy> {
  const faults = new Map<string, PaymentFault>();
  /** Our id of each payment, by the provider's. */
  const codes = new Map<string, string>();
  const agent = new http.Agent({ keepAlive: true });
  let database: pg.Pool | undefined;
  const take = async (called: CalledPayment): Promise<PaymentFault | undefined> => {
    if (faults.size === 0) return undefined;
    const code = codes.get(called.id) ?? called.id;
    const owners = [code, database && (await requestOf(database, code))];
    const key = owners.map((owner) => `${owner} ${called.call}`).find((each) => faults.has(each));
    const fault = key === undefined ? undefined : faults.get(key);
    if (key !== undefined) faults.delete(key);
    return fault;
  };
  const served = await serve(async (request, body, response) => {
    const called = calledPayment(request, body);
    const fault = called && (await take(called));
    if (fault === 'reject') {
      const refusal = { code: 415_903, message: 'refused by the proxy' };
      return response.writeHead(422, JSON_TYPE).end(JSON.stringify(refusal));
    }
    const first = await forward(agent, sandbox, request, body);
    remember(codes, first);
    const reply = fault === 'doubled' ? await forward(agent, sandbox, request, body) : first;
    if (fault === 'late') await sleep(LATE_MS, undefined, { ref: false });
    if (reply === undefined || fault === 'drop-after') return response.destroy();
    return response.writeHead(reply.status, reply.headers).end(reply.body);
  });
  return {
    url: served.url,
    arm: (owner, call, fault) => void faults.set(`${owner} ${call}`, fault),
    isArmed: (owner) => [...faults.keys()].some((key) => key.startsWith(owner)),
    watch: (pool) => {
      database = pool;
    },
    close: async () => {
      agent.destroy();
      await served.close();
    },
  };
}

/** Longer than the service waits for a reply. */
const LATE_MS = 16_000;
const JSON_TYPE = { 'content-type': 'application/json' };

interface CalledPayment {
  readonly call: PaymentCall;
  /** Ours or the provider's. */
  readonly id: string;
}

const CALLS: readonly (readonly [RegExp, (kind: 'payin' | 'payout') => PaymentCall])[] = [
  [/^POST .*\/(payin|payout)s$/, (kind) => `${kind}.create`],
  [/^POST .*\/(payout)s\/([^/]+)\/commit$/, () => 'payout.commit'],
  [/^DELETE .*\/(payin|payout)s\/([^/]+)$/, (kind) => `${kind}.cancel`],
  [/^GET .*\/(payin|payout)s\/by-code\/([^/]+)$/, (kind) => `${kind}.find`],
];

function calledPayment(
  { method, url = '' }: IncomingMessage,
  body: Buffer,
): CalledPayment | undefined {
  const line = `${method} ${url}`;
  for (const [pattern, callOf] of CALLS) {
    const [, kind, id] = pattern.exec(line) ?? [];
    if (kind === 'payin' || kind === 'payout')
      return { call: callOf(kind), id: decodeURIComponent(id ?? codeIn(body)) };
  }
  return undefined;
}

function codeIn(body: Buffer): string {
  return (JSON.parse(body.toString()) as { code?: string }).code ?? '';
}

function remember(codes: Map<string, string>, reply: Passed): void {
  if (reply === undefined || reply.body.length === 0) return;
  const { id, code } = JSON.parse(reply.body.toString()) as { id?: unknown; code?: unknown };
  if (typeof id === 'string' && typeof code === 'string') codes.set(id, code);
}

/** The request whose operation works on the payment now. */
async function requestOf(database: pg.Pool, code: string): Promise<string | undefined> {
  const { rows } = await database.query<{ request: string }>(
    `select operation.correlation_id as request
     from open_operation open join operation on operation.marketplace_id = open.marketplace_id
       and operation.id = open.operation_id
     where open.resource_id = $1`,
    [code],
  );
  return rows[0]?.request;
}
