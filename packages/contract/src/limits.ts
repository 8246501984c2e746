//! The published limits and defaults, each stated once. Settings may tighten those marked so.
import type { Currency } from '@holdfast/kernel/currency';

export const BASE_CURRENCY = 'USD' satisfies Currency;

/** Contracts hold USDC, so only what is backed by it can go into escrow. */
export const ESCROW_CURRENCIES = ['USD', 'USDC'] as const satisfies readonly Currency[];

/** A percentage, used when an order's metadata names none. */
export const DEFAULT_FEE_RATE = '5.00';

export const PAGE_SIZE = { default: 20, maximum: 100 } as const;

export interface RateLimit {
  readonly limit: number;
  readonly windowSeconds: number;
}

export const RATE_LIMITS = {
  /** Per API key, or per client address when there is no key. */
  requests: { limit: 100, windowSeconds: 60 },
  /** The master key has a bucket of its own. */
  masterKey: { limit: 1000, windowSeconds: 60 },
  /** Per operator: a page of the console sends several requests at once. */
  operators: { limit: 600, windowSeconds: 60 },
  topupsPerUser: { limit: 10, windowSeconds: 60 },
  withdrawalsPerUser: { limit: 5, windowSeconds: 60 },
} as const satisfies Record<string, RateLimit>;

/** What the rate limit of a single key can be set to. */
export const REQUESTS_PER_MINUTE_MAX = 100_000;

export const STREAMS_PER_KEY_MAX = 10;
export const STREAM_PING_SECONDS = 30;
export const EVENT_RETENTION_DAYS = 30;

export const IDEMPOTENCY_HOURS = 24;
export const TOKEN_TTL_SECONDS = { default: 3600, maximum: 3600 } as const;
/** Of a marketplace; and of an endpoint, those that have not ended. */
export const WEBHOOK_ENDPOINTS_MAX = 100;
export const WEBHOOK_REPLAYS_MAX = 10;
/** How long the secret before a new one signs too. */
export const SECRET_OVERLAP_SECONDS = { default: 86_400, maximum: 604_800 } as const;
export const KEY_OVERLAP_SECONDS = { default: 86_400, maximum: 604_800 } as const;

/** A key that an operator requested expires at the latest after this time. */
export const OPERATOR_KEY_DAYS_MAX = 90;

/** Of an operator: without a request, and in any case. */
export const SESSION_SECONDS = { idle: 1800, maximum: 43_200 } as const;
/** An operator's link to set password and two-factor authentication works once, and this long. */
export const INVITATION_HOURS = 48;
/** This many wrong confirmation codes void the credentials that they would activate. */
export const CONFIRMATION_TRIES_MAX = 5;
/** How long an operator approves nothing after a platform admin has activated them. */
export const APPROVER_DELAY_HOURS = 24;
/** A pending approval expires after this time. */
export const APPROVAL_HOURS = 72;
/**
 * An approved action is executed within this time, or never. Far below the retention of a key:
 * while execution can continue, its key identifies everything done before.
 */
export const CARRY_OUT_HOURS = IDEMPOTENCY_HOURS / 2;
/**
 * Above this amount, and not at it, a second operator must approve; settings may change it. Counted
 * together with what the operator, or any operator for the same user, decided alone before.
 */
export const APPROVAL_LIMIT = '500.00';

/** How long a decision without a second approver counts. */
export const DECIDED_ALONE_HOURS = 24;

/** How long a committed withdrawal counts against the payout limits. */
export const PAYOUT_LIMIT_HOURS = 24;

/** Payouts are limited in dollars, which USD and USDC are alike, and in XLM. */
export type PayoutUnit = 'USD' | 'XLM';

/** What a user's new destinations together may be paid in 24 hours, before they have waited. */
export const COOLING_ALLOWANCE = { USD: '50.00', XLM: '100.00' } as const satisfies Record<
  PayoutUnit,
  string
>;

/** The rule of a limit, in minor units of any currency. Null is no limit. */
export function isAboveLimit(minor: bigint, limitMinor: bigint | null): boolean {
  return limitMinor !== null && minor > limitMinor;
}

export interface AmountLimits {
  readonly minimum: string;
  readonly maximum: string;
}

/** Defaults of the enforced limits that `GET /config` returns; they hold in every currency. */
export const AMOUNT_LIMITS = {
  topup: { minimum: '1.00', maximum: '50000.00' },
  withdrawal: { minimum: '1.00', maximum: '50000.00' },
  order: { minimum: '1.00', maximum: '1000000.00' },
} as const satisfies Record<string, AmountLimits>;

/** How far the first page of the console counts: attention of each kind, orders, operations. */
export const HOME_COUNTS_MAX = { attention: 1000, openOrders: 10_000, operations: 1000 } as const;

export const BODY_BYTES_MAX = 262_144;
/** Orders of one seed of the test lab. */
export const LAB_ORDERS_MAX = 20;
export const MILESTONES_MAX = 50;
export const EVIDENCE_MAX = 20;
export const METADATA_PROPERTIES_MAX = 50;

/** Lengths in characters. */
export const LENGTHS = {
  name: 100,
  reference: 200,
  title: 200,
  description: 2000,
  reason: 1000,
  url: 2000,
  email: 254,
  password: 200,
  /** The least of an operator's password. */
  operatorPassword: 12,
  amount: 40,
  destination: 200,
  /** What a network memo can carry. */
  memo: 28,
} as const;
