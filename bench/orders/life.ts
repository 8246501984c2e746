//! One order from its creation to its release, step by step, for either side.
import { type MilestoneInput, ORDER_AMOUNT, someMilestones } from '../../tests/harness/orders.ts';
import type { Pair } from '../../tests/harness/people.ts';

/** The operations of both sides, reached in two ways. */
export interface Side {
  createOrder(input: OrderInput): Promise<string>;
  reserve(orderId: string): Promise<void>;
  createEscrow(orderId: string): Promise<void>;
  fund(orderId: string): Promise<void>;
  complete(orderId: string, ref: string): Promise<void>;
  release(orderId: string): Promise<void>;
}

export interface OrderInput extends Pair {
  readonly amount: string;
  readonly title: string;
  readonly milestones: readonly MilestoneInput[];
}

export const STEPS = [
  'create order',
  'reserve',
  'create escrow',
  'fund',
  'complete milestone',
  'release',
  'whole life',
] as const;
export type StepName = (typeof STEPS)[number];

/** Called with the duration of each step. */
export type RecordTime = (step: StepName, ms: number) => void;

export async function live(
  side: Side,
  pair: Pair,
  milestones: number,
  record: RecordTime,
): Promise<void> {
  const timed = async <T>(step: StepName, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const given = await work();
    record(step, performance.now() - startedAt);
    return given;
  };
  const parts = someMilestones(milestones);
  const input = { ...pair, amount: ORDER_AMOUNT, title: 'A table', milestones: parts };
  await timed('whole life', async () => {
    const orderId = await timed('create order', () => side.createOrder(input));
    await timed('reserve', () => side.reserve(orderId));
    await timed('create escrow', () => side.createEscrow(orderId));
    await timed('fund', () => side.fund(orderId));
    for (const { ref } of parts)
      await timed('complete milestone', () => side.complete(orderId, ref));
    await timed('release', () => side.release(orderId));
  });
}
