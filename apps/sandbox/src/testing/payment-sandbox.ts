//! The whole sandbox on a free port, with clients for its payment provider and for control.
import { expect } from 'vitest';
import { type RunningWorld, startWorld } from '../start-world.ts';

/** The fields that tests read one by one; the rest is compared whole. */
export interface Json {
  readonly id: string;
  readonly code: string;
  readonly status: string;
  readonly message: string;
  readonly amount: number;
  readonly available: number;
  readonly pending: number;
  readonly startCursor: string;
  readonly endCursor: string;
  readonly offsetMs: number;
  readonly now: string;
  readonly svixId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly type: string;
  readonly effect: string;
  readonly seq: number;
  readonly data: Json;
  readonly items: readonly Json[];
  readonly entries: readonly Json[];
  readonly faults: readonly Json[];
  readonly webhooks: readonly Json[];
  readonly attempts: readonly Json[];
  readonly [name: string]: unknown;
}

export interface ApiResponse {
  readonly status: number;
  readonly json: Json;
  readonly text: string;
  readonly headers: Headers;
}

export interface Sandbox extends RunningWorld {
  readonly api: (method: string, path: string, body?: unknown) => Promise<ApiResponse>;
  readonly control: (method: string, path: string, body?: unknown) => Promise<ApiResponse>;
}

export const KEY = `Basic ${Buffer.from('key:secret').toString('base64')}`;

export async function openSandbox(options: { folder?: string } = {}): Promise<Sandbox> {
  const running = await startWorld(options);
  return { ...running, ...clients(running.url) };
}

/** Also for a world that runs as a process of its own. */
export function clients(url: string): Pick<Sandbox, 'api' | 'control'> {
  return {
    api: (method, path, body) =>
      send(method, `${url}/payment-provider/v2${path}`, body, { authorization: KEY }),
    control: (method, path, body) => send(method, `${url}/control${path}`, body),
  };
}

export async function send(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const isRaw = typeof body === 'string' || body === undefined;
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: { accept: 'application/json', ...headers },
    ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    json: read(isJson, text) as Json,
    text,
    headers: response.headers,
  };
}

/** A fault may send half a JSON text. */
function read(isJson: boolean, text: string): unknown {
  if (!isJson) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A refusal of the payment provider, with its message. */
export function expectRefusal({ status, json }: ApiResponse, as: number, code: string): void {
  expect([status, json.code]).toEqual([as, code]);
  expect(json.message).toMatch(/\.$/);
}

/** Polls until the check holds, for effects that follow a response. */
export async function until<T>(check: () => T | Promise<T>, what: string): Promise<NonNullable<T>> {
  for (const end = Date.now() + 10_000; Date.now() < end; ) {
    const found = await check();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`it never came to this: ${what}`);
}

export function aPayin(fields: object = {}): Record<string, unknown> {
  return {
    code: `topup_${crypto.randomUUID()}`,
    amount: 50.25,
    description: 'Top-up',
    items: [{ description: 'Top-up', amount: 50.25, quantity: 1 }],
    confirmationUri: 'https://shop.example.com/back?from=pay',
    cancelUri: 'https://shop.example.com/canceled',
    ...fields,
  };
}

export function aPayout(fields: object = {}): Record<string, unknown> {
  return {
    code: `wd_${crypto.randomUUID()}`,
    amount: 20.05,
    airtmUserEmail: 'maria.lopez@example.com',
    notes: 'Withdrawal',
    ...fields,
  };
}
