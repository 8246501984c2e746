//! Orders of 100.00 with zero to three milestones, as harnesses create them.

export const ORDER_AMOUNT = '100.00';
/** By number; several milestones use another type of contract than none or one. */
const MILESTONE_AMOUNTS = [[], ['100.00'], ['40.00', '60.00'], ['30.00', '30.00', '40.00']];

export interface MilestoneInput {
  readonly ref: string;
  readonly title: string;
  readonly amount: string;
}

export function milestonesOf(amounts: readonly string[]): MilestoneInput[] {
  return amounts.map((amount, at) => ({ ref: `m${at + 1}`, title: `Part ${at + 1}`, amount }));
}

export function someMilestones(count: number): MilestoneInput[] {
  return milestonesOf(MILESTONE_AMOUNTS[count] ?? []);
}
