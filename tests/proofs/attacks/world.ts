//! The attacker's tools: requests over TLS from any address, and what a finding grants.
import { randomUUID } from 'node:crypto';
import type { LocalOperator } from '../../../apps/cli/src/local-operators.ts';
import { paymentHeaders } from '../../../apps/server/src/testing/payment-webhooks.ts';
import { SERVER_NAME } from '../../harness/nginx.ts';
import { bodyOf, type Sending, send } from '../../harness/nginx-client.ts';
import type { ProductionSet } from '../../harness/production-set.ts';
import { freshCode } from '../../harness/two-factor-codes.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The error code of a refusal. */
  readonly code: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  /** The content of the envelope, of either surface. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface AttackSending extends Sending {
  /** An API key, a token or the master key. */
  readonly bearer?: string;
}

/** A signed-in operator, with the headers of a browser. */
export interface Session {
  readonly who: LocalOperator;
  readonly headers: Readonly<Record<string, string>>;
}

export interface AttackWorld extends Omit<ProductionSet, typeof Symbol.asyncDispose> {
  /** Through nginx; GET without a body, POST with one. */
  readonly request: (path: string, sending?: AttackSending) => Promise<Reply>;
  /** With the key of the first marketplace; throws unless it succeeds. */
  readonly arrange: (path: string, body?: object, bearer?: string) => Promise<Reply['data']>;
  /** A new user of the first marketplace; returns the id. */
  readonly createUser: (fields?: object) => Promise<string>;
  /** A webhook of the payment provider, signed with its real secret. */
  readonly sendPaymentWebhook: (message: object) => Promise<Reply>;
  /** Each operator signs in once; later calls return the same session. */
  readonly signIn: (who: LocalOperator) => Promise<Session>;
  readonly openSession: (who: LocalOperator) => Promise<Session>;
  /** As an operator with a reason, in the first marketplace unless a platform admin. */
  readonly act: (who: LocalOperator, path: string, sending?: AttackSending) => Promise<Reply>;
  readonly operator: (role: LocalOperator['role']) => LocalOperator;
  /** A code for the next change: none is accepted twice, so this may take half a minute. */
  readonly freshCode: (who: LocalOperator) => Promise<string>;
}

/** As a browser sends them. */
export const BROWSER = {
  origin: `https://${SERVER_NAME}`,
  host: SERVER_NAME,
  'user-agent': 'a browser',
};

export function createWorld(set: ProductionSet): AttackWorld {
  const sessions = new Map<string, Promise<Session>>();

  async function request(path: string, sending: AttackSending = {}): Promise<Reply> {
    const { bearer, headers = {}, method, ...rest } = sending;
    const response = await send(set.nginx, path, {
      ...rest,
      method: method ?? (rest.body === undefined ? 'GET' : 'POST'),
      headers: { ...headers, ...(bearer && { authorization: `Bearer ${bearer}` }) },
    });
    const body = await bodyOf(response).catch(() => ({}));
    return { status: response.statusCode ?? 0, headers: response.headers, ...contentOf(body) };
  }

  async function openSession(who: LocalOperator): Promise<Session> {
    const { email, password } = who;
    const body = { email, password, totp: await freshCode(who) };
    const reply = await request('/operators/sign-in', { body, headers: BROWSER });
    if (reply.status !== 200) throw new Error(`${email} cannot sign in: ${reply.code}`);
    const cookies = [reply.headers['set-cookie'] ?? []].flat().map((each) => each.split(';')[0]);
    const csrf = { 'x-holdfast-csrf': String(reply.data['csrfToken']) };
    return { who, headers: { ...BROWSER, ...csrf, cookie: cookies.join('; ') } };
  }

  function signIn(who: LocalOperator): Promise<Session> {
    const session = sessions.get(who.email) ?? openSession(who);
    sessions.set(who.email, session);
    return session;
  }

  async function arrange(path: string, body: object = {}, bearer = set.ready.apiKey) {
    const reply = await request(path, { body, bearer });
    if (reply.status < 300) return reply.data;
    throw setupError(path, reply);
  }

  return {
    ...set,
    request,
    arrange,
    createUser: async (fields) =>
      String((await arrange('/users', { externalUserId: randomUUID(), ...fields }))['id']),
    sendPaymentWebhook: (message) => {
      const secret = set.secrets.paymentWebhookSecret;
      const headers = paymentHeaders(JSON.stringify(message), { secret });
      return request('/webhooks/payment-provider', { body: message, headers });
    },
    ...{ signIn, openSession },
    act: async (who, path, sending = {}) => {
      const headers = actingHeaders(await signIn(who), set.ready.marketplaceId);
      return request(path, { ...sending, headers: { ...headers, ...sending.headers } });
    },
    operator: (role) => {
      const found = set.ready.operators.find((each) => each.role === role);
      if (found === undefined) throw new Error(`there is no ${role}`);
      return found;
    },
    freshCode,
  };
}

function setupError(path: string, { status, code, details }: Reply): Error {
  const why = JSON.stringify(details);
  return new Error(`the setup failed: ${path} returned ${status} ${code} ${why}`);
}

function actingHeaders({ who, headers }: Session, marketplaceId: string) {
  const marketplace = { 'x-holdfast-marketplace': marketplaceId };
  const isPlatform = who.role === 'platform-admin';
  return { ...headers, 'x-holdfast-reason': 'an attack', ...(!isPlatform && marketplace) };
}

function contentOf(body: unknown): Pick<Reply, 'code' | 'details' | 'data'> {
  const { data, error } = (body ?? {}) as {
    data?: Record<string, unknown>;
    error?: { code?: string; details?: Record<string, unknown> };
  };
  const inner = data?.['data'];
  return {
    code: error?.code,
    details: error?.details ?? {},
    data: (typeof inner === 'object' && inner !== null ? inner : (data ?? {})) as Reply['data'],
  };
}
