//! Faults on demand: how the world is told to fail, and what a failing answer looks like.
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from './store.ts';

// biome-ignore format: a table is the one thing exempt from the line limit.
export const FAULT_KINDS = {
  reject: 'refused for good: the ledger shows FAILED, the provider says no; nothing took effect',
  'error-before': 'answers 500 and does nothing',
  'error-after': 'does it, then answers 500',
  'drop-before': 'cuts the connection and does nothing',
  'drop-after': 'does it, then cuts the connection',
  slow: 'does it, and answers only after 40 seconds',
  garbage: 'does it, then answers something unreadable',
  'no-contract-id': 'does it, does not tell the contract id, and sends its webhook 2 s late',
  stale: 'answers as it was before: a transaction is not there yet, a contract has no money yet',
  'duplicate-webhook': 'sends the next webhook three times',
  'reorder-webhooks': 'holds the next webhook back until another one has been sent',
  'drop-webhook': 'loses the next webhook',
} as const;

export type FaultKind = keyof typeof FAULT_KINDS;

/** Who can be told to fail, and at what. */
export const FAULT_OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  escrow: [
    ...['deploy', 'fund', 'status', 'approve', 'release', 'dispute', 'resolve'],
    ...['read', 'webhook'],
  ],
  payment: ['payin.create', 'payin.cancel', 'payout.create', 'payout.commit', 'webhook'],
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
    this.#keep({ id: String(this.#store.count('fault') + 1), fault });
  }

  armed(): Fault[] {
    return this.#armed().map(({ fault }) => fault);
  }

  clear(): void {
    for (const { id, fault } of this.#armed()) this.#keep({ id, fault: { ...fault, times: 0 } });
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
    this.#keep({ id, fault: { ...fault, times: fault.times - 1 } });
    return fault.kind;
  }

  #armed(): Armed[] {
    return this.#store.all<Armed>('fault').filter(({ fault }) => fault.times > 0);
  }

  #keep(armed: Armed): void {
    this.#store.put('fault', armed.id, armed);
  }
}

/** Strikes before the effect: true when the request has been dealt with and nothing was done. */
export function strikeBefore(kind: FaultKind | undefined, response: ServerResponse): boolean {
  if (kind === 'error-before') {
    response
      .writeHead(500, { 'content-type': 'application/json' })
      .end('{"statusCode":500,"message":"Internal server error"}');
    return true;
  }
  if (kind === 'drop-before') {
    response.destroy();
    return true;
  }
  return false;
}

/** Strikes after the effect: true when the honest answer must not be sent any more. */
export async function strikeAfter(
  kind: FaultKind | undefined,
  response: ServerResponse,
): Promise<boolean> {
  if (kind === 'slow') await sleep(SLOW_MS);
  if (kind === 'error-after') {
    response
      .writeHead(500, { 'content-type': 'application/json' })
      .end('{"statusCode":500,"message":"Internal server error"}');
    return true;
  }
  if (kind === 'drop-after') {
    response.destroy();
    return true;
  }
  if (kind === 'garbage') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"SUCC');
    return true;
  }
  return false;
}
