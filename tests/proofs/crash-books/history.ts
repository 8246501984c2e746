//! Requests and responses of the clients: the expected balances, and the history file.
import { appendFileSync } from 'node:fs';
import type { ApiResponse } from '../../harness/api.ts';

export type BalanceOperation = 'credit' | 'debit' | 'reserve' | 'release';
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

/** One logical request, with any number of attempts. */
export interface LogicalRequest {
  logicalId: string;
  idempotencyKey: string;
  op: BalanceOperation;
  userId: string;
  amountMinor: number;
  /** The X-Request-ID of each attempt. */
  correlationIds: string[];
  outcome: Outcome;
  /** The unknown outcome of an attempt: cut off, or a status of 500 and above. */
  interruption?: string;
  /** The first definitive response. */
  response?: ApiResponse;
}

export interface UserBalance {
  available: number;
  reserved: number;
}

export type Balances = Map<string, UserBalance>;

const effects: Record<BalanceOperation, { available: number; reserved: number }> = {
  credit: { available: 1, reserved: 0 },
  debit: { available: -1, reserved: 0 },
  reserve: { available: -1, reserved: 1 },
  release: { available: 1, reserved: -1 },
};

/** Acknowledged requests change the balance; their order does not affect the result. */
export function applyRequests(balances: Balances, requests: readonly LogicalRequest[]): void {
  for (const { outcome, op, userId, amountMinor } of requests) {
    if (outcome !== 'acknowledged') continue;
    const balance = balances.get(userId) ?? { available: 0, reserved: 0 };
    balance.available += effects[op].available * amountMinor;
    balance.reserved += effects[op].reserved * amountMinor;
    balances.set(userId, balance);
  }
}

export function amountText(minor: number): string {
  return `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
}

/** The auditor reads these lines and compares them with the journal. */
export function appendHistory(path: string, requests: readonly LogicalRequest[]): void {
  const lines = requests.map(({ logicalId, correlationIds, op, userId, amountMinor, outcome }) =>
    JSON.stringify({
      logicalId,
      correlationIds,
      op,
      userId,
      currency: 'USD',
      amount: amountText(amountMinor),
      outcome,
    }),
  );
  appendFileSync(path, lines.map((line) => `${line}\n`).join(''));
}
