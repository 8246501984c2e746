//! One order from its creation to its release, step by step, whoever takes the steps.
import type { Pair } from '../../tests/harness/people.ts';

/** What both sides can do: the same operations, reached in two ways. */
export interface Side {
  createOrder(wish: Wish): Promise<string>;
  reserve(orderId: string): Promise<void>;
  createEscrow(orderId: string): Promise<void>;
  fund(orderId: string): Promise<void>;
  complete(orderId: string, ref: string): Promise<void>;
  release(orderId: string): Promise<void>;
}

export interface Wish extends Pair {
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

/** Told how long each step took. */
export type Note = (step: StepName, ms: number) => void;

const PARTS: readonly (readonly string[])[] = [
  [],
  ['100.00'],
  ['40.00', '60.00'],
  ['30.00', '30.00', '40.00'],
];

export async function live(side: Side, pair: Pair, milestones: number, note: Note): Promise<void> {
  const timed = async <T>(step: StepName, work: () => Promise<T>): Promise<T> => {
    const begunAt = performance.now();
    const given = await work();
    note(step, performance.now() - begunAt);
    return given;
  };
  const stones = (PARTS[milestones] ?? []).map((amount, at) => ({
    ref: `m${at + 1}`,
    title: `Part ${at + 1}`,
    amount,
  }));
  const wish: Wish = { ...pair, amount: '100.00', title: 'A table', milestones: stones };
  await timed('whole life', async () => {
    const orderId = await timed('create order', () => side.createOrder(wish));
    await timed('reserve', () => side.reserve(orderId));
    await timed('create escrow', () => side.createEscrow(orderId));
    await timed('fund', () => side.fund(orderId));
    for (const { ref } of stones)
      await timed('complete milestone', () => side.complete(orderId, ref));
    await timed('release', () => side.release(orderId));
  });
}
