//! The figures of the console's home page: work that needs an operator, and marketplace metrics.
import { type Static, Type } from 'typebox';
import {
  ATTENTION_KINDS,
  ATTENTION_TYPES,
  HEALTH_PROVIDERS,
  SEVERITIES,
  SOLVENCY_STATUSES,
} from '#enums';
import { amount, currency, instant, nullable, oneOf, record } from '#fields';
import { statesOf } from '#machine';
import { orderMachine } from '#machines/order-machine';
import { withdrawalMachine } from '#machines/withdrawal-machine';

const count = () => Type.Integer({ minimum: 0 });
const day = () => Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-03-01'] });

export const AttentionView = record('Attention', {
  kind: oneOf(ATTENTION_KINDS),
  severity: oneOf(SEVERITIES),
  /** Counting stops at 1,000. */
  count: count(),
  /** Since when the oldest one waits. */
  oldestAt: nullable(instant()),
  /** The oldest ones, five at most. */
  items: Type.Array(
    record('AttentionItem', {
      type: oneOf(ATTENTION_TYPES),
      id: Type.String(),
      title: Type.String(),
      since: instant(),
    }),
  ),
});
export type AttentionView = Static<typeof AttentionView>;

/** At the end of a UTC day, or now for today. */
export const HeldDayView = record('HeldDay', {
  day: day(),
  currency: currency(),
  /** Set aside with buyers and for withdrawals. */
  reserved: amount(),
  escrow: amount(),
});
export type HeldDayView = Static<typeof HeldDayView>;

/** What happened on a UTC day, from the journal. */
export const VolumeDayView = record('VolumeDay', {
  day: day(),
  currency: currency(),
  created: record('CreatedOrders', { count: count(), amount: amount() }),
  funded: record('FundedOrders', { count: count(), amount: amount() }),
  released: record('ReleasedOrders', { count: count(), amount: amount() }),
  refunded: record('RefundedOrders', { count: count(), amount: amount() }),
  fees: amount(),
  paidIn: amount(),
  paidOut: amount(),
});
export type VolumeDayView = Static<typeof VolumeDayView>;

const outcomes = (title: string) =>
  record(title, { done: count(), refused: count(), unknown: count() });

export const ProviderHealthView = record('ProviderHealth', {
  provider: oneOf(HEALTH_PROVIDERS),
  lastHour: outcomes('OutcomesOfHour'),
  lastDay: outcomes('OutcomesOfDay'),
});
export type ProviderHealthView = Static<typeof ProviderHealthView>;

export const HomeView = record('HomeInsights', {
  takenAt: instant(),
  days: Type.Integer(),
  attention: Type.Array(AttentionView),
  held: Type.Array(HeldDayView),
  volume: Type.Array(VolumeDayView),
  /** Of the orders and postings in the window. */
  funnel: record('OrderFunnel', {
    created: count(),
    funded: count(),
    released: count(),
    refunded: count(),
    disputed: count(),
  }),
  /** Orders that are not closed. Counting stops at 10,000, the newest, of all states together. */
  openOrders: Type.Array(
    record('OrdersInState', { status: oneOf(statesOf(orderMachine)), count: count() }),
  ),
  withdrawalsInFlight: Type.Array(
    record('WithdrawalsInState', {
      status: oneOf(statesOf(withdrawalMachine)),
      currency: currency(),
      count: count(),
      amount: amount(),
      oldestAt: instant(),
    }),
  ),
  /** Steps of the last day's operations: the newest thousand of them at most. */
  providers: Type.Array(ProviderHealthView),
  /** When the oldest of that thousand began; null where the day had fewer and all are counted. */
  providersSince: nullable(instant()),
  solvency: record('SolvencySummary', {
    status: oneOf(SOLVENCY_STATUSES),
    takenAt: nullable(instant()),
    payoutsPaused: Type.Boolean(),
    pauseReason: nullable(Type.String()),
  }),
});
export type HomeView = Static<typeof HomeView>;
