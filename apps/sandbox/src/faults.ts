//! Injected faults: their kinds and operations, and the response of a failing call.
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendJson } from './router.ts';
import type { Store } from './store.ts';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const FAULT_KINDS = {
  reject: 'rejects the call permanently, without effect',
  'error-before': 'responds with HTTP 500 and does not execute the call',
  'error-after': 'executes the call, then responds with HTTP 500',
  'drop-before': 'closes the connection and does not execute the call',
  'drop-after': 'executes the call, then closes the connection',
  slow: 'executes the call, but responds after 40 seconds',
  garbage: 'executes the call, then responds with an unreadable body',
  'no-contract-id': 'executes the call, omits the contract id, and sends the webhook 2 s late',
  stale: 'responds with outdated state, such as a missing transaction or an unfunded contract',
  'duplicate-webhook': 'sends the next webhook three times',
  'reorder-webhooks': 'sends the next two webhooks in reverse order',
  'drop-webhook': 'drops the next webhook',
} as const;

export type FaultKind = keyof typeof FAULT_KINDS;

/** Providers that can fail, and the operations of each. */
export const FAULT_OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  escrow: [
    ...['deploy', 'fund', 'status', 'approve', 'release', 'dispute', 'resolve'],
    ...['read', 'webhook'],
  ],
  payment: [
    ...['payin.create', 'payin.cancel', 'payout.create', 'payout.commit', 'payout.cancel'],
    'webhook',
  ],
  ledger: ['submit', 'lookup'],
};

export interface Fault {
  readonly provider: string;
  readonly operation: string;
  readonly kind: FaultKind;
  readonly times: number;
}

interface Armed {
  readonly id: string;
  readonly fault: Fault;
}

const SLOW_MS = 40_000;

export class Faults {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  arm(fault: Fault): void {
    this.#save({ id: String(this.#store.count('fault') + 1), fault });
  }

  armed(): Fault[] {
    return this.#armed().map(({ fault }) => fault);
  }

  clear(): void {
    for (const { id, fault } of this.#armed()) this.#save({ id, fault: { ...fault, times: 0 } });
  }

  /** Uses one of the armed faults up, the oldest first; for good, also over a restart. */
  take(provider: string, operation: string, kinds?: readonly FaultKind[]): FaultKind | undefined {
    const found = this.#armed().find(
      ({ fault }) =>
        fault.provider === provider &&
        fault.operation === operation &&
        (kinds === undefined || kinds.includes(fault.kind)),
    );
    if (found === undefined) return undefined;
    const { id, fault } = found;
    this.#save({ id, fault: { ...fault, times: fault.times - 1 } });
    return fault.kind;
  }

  #armed(): Armed[] {
    return this.#store.all<Armed>('fault').filter(({ fault }) => fault.times > 0);
  }

  #save(armed: Armed): void {
    this.#store.put('fault', armed.id, armed);
  }
}

/** Strikes before the effect: true when the request has been dealt with and nothing was done. */
export function applyFaultBefore(kind: FaultKind | undefined, response: ServerResponse): boolean {
  if (kind === 'error-before') failWith500(response);
  else if (kind === 'drop-before') response.destroy();
  else return false;
  return true;
}

/** Applies after the effect: true when the normal response must not be sent. */
export async function applyFaultAfter(
  kind: FaultKind | undefined,
  response: ServerResponse,
): Promise<boolean> {
  if (kind === 'slow') await sleep(SLOW_MS);
  if (kind === 'error-after') failWith500(response);
  else if (kind === 'drop-after') response.destroy();
  else if (kind === 'garbage')
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"SUCC');
  else return false;
  return true;
}

function failWith500(response: ServerResponse): void {
  sendJson(response, 500, { statusCode: 500, message: 'Internal server error' });
}
