//! The stories of an order, each as short as it can be told.
import type { Order } from '@holdfast/sdk';
import { loseAnswer } from './lost-answer.ts';
import { moneyParts } from './money-parts.ts';
import { agree, bringTo, orderInProgress } from './order-steps.ts';
import type { Played, Scenario, Stage } from './stage.ts';

const AMOUNT = '120.00';
const TABLE = { title: 'A table' };

const ended = (stage: Stage, order: Order): Played => {
  const how = order.closeReason === null ? '' : ` (${order.closeReason})`;
  stage.tell(`the order is ${order.status}${how}`);
  return { id: order.id, status: order.status };
};

const story = (tells: string, act: (stage: Stage) => Promise<Order>): Scenario => ({
  tells,
  amount: AMOUNT,
  play: async (stage) => ended(stage, await act(stage)),
});

export const orderStories = {
  'order.created': story('agreed; no money has moved', (stage) => agree(stage, TABLE)),
  'order.reserved': story("the buyer's money is set aside", async (stage) =>
    bringTo(stage, await agree(stage, TABLE), 'FUNDS_RESERVED'),
  ),
  'order.escrow': story('the contract is deployed and waits for its money', async (stage) =>
    bringTo(stage, await agree(stage, TABLE), 'ESCROW_FUNDING'),
  ),
  'order.funded': story('the contract holds the money; the seller works', (stage) =>
    orderInProgress(stage, TABLE),
  ),
  'order.released': story('bought, delivered, approved: the seller is paid', async (stage) => {
    const { id } = await orderInProgress(stage, TABLE);
    return stage.holdfast.orders.release(id);
  }),
  'order.refunded': story('the buyer gets everything back', async (stage) => {
    const { id } = await orderInProgress(stage, TABLE);
    return stage.holdfast.orders.refund(id, { reason: 'Out of stock' });
  }),
  'order.canceled': story('given up before its escrow', async (stage) => {
    const { id } = await bringTo(stage, await agree(stage, TABLE), 'FUNDS_RESERVED');
    return stage.holdfast.orders.cancel(id, { reason: 'Changed my mind' });
  }),
  'order.milestones': story('design, then build; each completed, then released', async (stage) => {
    const { id } = await orderInProgress(stage, houseOf(stage.amount));
    for (const ref of ['design', 'build']) {
      await stage.holdfast.milestones.complete(id, ref);
      stage.tell(`milestone ${ref} is completed`);
    }
    return stage.holdfast.orders.release(id);
  }),
  'order.funding_refused': story('the funding is refused; the money is reserved again', refusal),
  'order.unknown_outcome': story('the answer to a release is lost, and found again', unknown),
} as const satisfies Record<string, Scenario>;

export function houseOf(amount: string) {
  const [design, build] = moneyParts(amount, 40);
  return {
    title: 'A house',
    milestones: [
      { ref: 'design', title: 'Design', amount: design },
      { ref: 'build', title: 'Build', amount: build },
    ],
  };
}

async function refusal(stage: Stage): Promise<Order> {
  const { holdfast, sandbox } = stage;
  const { id } = await bringTo(stage, await agree(stage, TABLE), 'ESCROW_FUNDING');
  await sandbox.arm({ provider: 'escrow', operation: 'fund', kind: 'reject' });
  const funding = await holdfast.orders.fundEscrow(id).result();
  stage.tell(funding.ok ? 'the funding went through after all' : `refused: ${funding.error.code}`);
  return holdfast.orders.get(id);
}

/** The network does it and says nothing: nobody may guess, so somebody looks. */
async function unknown(stage: Stage): Promise<Order> {
  const { holdfast, sandbox } = stage;
  const { id } = await orderInProgress(stage, TABLE);
  await sandbox.arm({ provider: 'ledger', operation: 'submit', kind: 'drop-after' });
  const answered = 'the fault struck elsewhere; the release was answered';
  await loseAnswer(stage, holdfast.orders.release(id), answered);
  return holdfast.orders.waitFor(id, 'CLOSED');
}
