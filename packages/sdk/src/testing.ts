//! For tests: example events to feed a handler with, and control of the sandbox: faults and clock.
import type { EventOf, EventType } from '#event';
import { EVENT_AGGREGATES } from '#generated/event-types';
import { EXAMPLE_PAYLOADS } from '#generated/examples';
import type { FaultKind, FaultTarget } from '#generated/faults';
import { environment, now } from '#platform';

export type { FaultKind, FaultTarget } from '#generated/faults';
export { type SignedWebhook, type SignOptions, signWebhook } from '#webhooks';

let created = 0;

/** An event as Holdfast sends it: an example, in which you set what your test is about. */
export function exampleEvent<T extends EventType>(
  eventType: T,
  payload: Partial<EventOf<T>['payload']> = {},
): EventOf<T> {
  created += 1;
  const at = new Date(now()).toISOString().slice(0, -1);
  const event = {
    eventId: `evt_${created.toString(32).padStart(26, '0')}`,
    eventType,
    occurredAt: `${at}${(created % 1000).toString().padStart(3, '0')}Z`,
    aggregateId: 'example',
    aggregateType: EVENT_AGGREGATES[eventType],
    payload: { ...EXAMPLE_PAYLOADS[eventType], ...payload },
    metadata: {},
  };
  return event as unknown as EventOf<T>;
}

/** A secret like those of webhook endpoints. */
export function exampleSecret(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(24));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

export interface WorldOptions {
  /** Where the sandbox is; `holdfast dev` prints it. `HOLDFAST_SANDBOX_URL` when absent. */
  readonly url?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Options of a fault in the sandbox. */
export interface FaultOptions {
  /** How many times it applies; once when absent. */
  readonly times?: number | undefined;
}

/** The time of the outside world, and how far it is from the machine's. */
export interface WorldTime {
  readonly now: string;
  readonly offsetMs: number;
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * The sandbox: a simulated payment provider, escrow provider and Stellar network.
 *
 * ```ts
 * const world = new World({ url: 'http://127.0.0.1:4500' });
 * await world.fault('escrow.release', 'drop-after'); // executes, then closes the connection
 * await world.clock.advance('14d');
 * ```
 */
export class World {
  readonly #url: string;
  readonly #fetch: typeof globalThis.fetch;
  /** The one clock of the outside world; the service in development follows it. */
  readonly clock = {
    now: (): Promise<WorldTime> => this.#call('GET', '/control/clock'),
    /** `14d`, `90s`, `2h`, or seconds; what becomes due by it happens before this ends. */
    advance: (by: string | number): Promise<WorldTime> =>
      this.#call('POST', '/control/clock/advance', { seconds: secondsIn(by) }),
  };

  constructor(options: WorldOptions = {}) {
    const url = options.url ?? environment('HOLDFAST_SANDBOX_URL');
    if (url === undefined)
      throw new TypeError('World requires the sandbox URL: set HOLDFAST_SANDBOX_URL or pass url');
    this.#url = url.replace(/\/+$/, '');
    this.#fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  }

  /** Makes the next such calls to the sandbox fail. An impossible fault is refused. */
  async fault(
    target: FaultTarget,
    kind: FaultKind,
    { times = 1 }: FaultOptions = {},
  ): Promise<void> {
    const at = target.indexOf('.');
    const [provider, operation] = [target.slice(0, at), target.slice(at + 1)];
    await this.#call('POST', '/control/faults', { provider, operation, kind, times });
  }

  async clearFaults(): Promise<void> {
    await this.#call('DELETE', '/control/faults');
  }

  /** Decides what becomes of the payment behind a top-up, named by the top-up's id. */
  async settleTopup(
    topupId: string,
    status: 'CONFIRMED' | 'FAILED' | 'CANCELED' = 'CONFIRMED',
  ): Promise<void> {
    await this.#call('POST', `/control/payins/${encodeURIComponent(topupId)}`, { status });
  }

  /** Decides what becomes of the payout behind a withdrawal, named by the withdrawal's id. */
  async settleWithdrawal(
    withdrawalId: string,
    status: 'COMPLETED' | 'FAILED' | 'CANCELED' = 'COMPLETED',
  ): Promise<void> {
    await this.#call('POST', `/control/payouts/${encodeURIComponent(withdrawalId)}`, { status });
  }

  /** Sends a deposit to an address on the pretended network. */
  async deposit(address: string, amount: string, asset: 'USDC' | 'XLM' = 'USDC'): Promise<void> {
    await this.#call('POST', '/control/ledger/deposit', { address, asset, amount });
  }

  async #call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await this.#fetch(`${this.#url}${path}`, {
      method,
      ...(body && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }
}

function secondsIn(by: string | number): number {
  if (typeof by === 'number') return by;
  const [, count, unit] = /^(\d{1,9})([smhd])$/.exec(by) ?? [];
  if (count === undefined)
    throw new TypeError(`Invalid duration ${by}: use a value such as 90s, 15m, 2h or 14d`);
  return +count * (UNIT_SECONDS[unit ?? 's'] ?? 1);
}
