//! Orders whose money is in escrow.
import { milestonesOf } from '../../../harness/orders.ts';
import { createPair } from '../../../harness/people.ts';
import type { Case } from '../situation.ts';

/** With milestones of these amounts, if any; they are completed. */
export async function createOrder({ post }: Case, amounts: string[] = []): Promise<string> {
  const pair = await createPair(post, '200.00');
  const milestones = milestonesOf(amounts);
  const created = await post('/orders', {
    ...pair,
    amount: '100.00',
    title: 'A table',
    milestones,
  });
  const id = String(created['id']);
  for (const step of ['reserve', 'escrow', 'escrow/fund']) await post(`/orders/${id}/${step}`);
  for (const { ref } of milestones) await post(`/orders/${id}/milestones/${String(ref)}/complete`);
  return id;
}
