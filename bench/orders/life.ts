//! One order from its creation to its release, step by step, for either side.
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
  readonly milestones: readonly { ref: string; title: string; amount: string }[];
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

const MILESTONE_AMOUNTS: readonly (readonly string[])[] = [
  [],
  ['100.00'],
  ['40.00', '60.00'],
  ['30.00', '30.00', '40.00'],
];

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
  const milestoneInputs = (MILESTONE_AMOUNTS[milestones] ?? []).map((amount, at) => ({
    ref: `m${at + 1}`,
    title: `Part ${at + 1}`,
    amount,
  }));
  const input: OrderInput = {
    ...pair,
    amount: '100.00',
    title: 'A table',
    milestones: milestoneInputs,
  };
  await timed('whole life', async () => {
    const orderId = await timed('create order', () => side.createOrder(input));
    await timed('reserve', () => side.reserve(orderId));
    await timed('create escrow', () => side.createEscrow(orderId));
    await timed('fund', () => side.fund(orderId));
    for (const { ref } of milestoneInputs)
      await timed('complete milestone', () => side.complete(orderId, ref));
    await timed('release', () => side.release(orderId));
  });
}
