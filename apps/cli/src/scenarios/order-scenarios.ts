//! The scenarios of an order, each with as few steps as possible.
import type { Order } from '@holdfast/sdk';
import { loseResponse } from './lost-response.ts';
import { advanceTo, createOrder, orderInProgress } from './order-steps.ts';
import { type Scenario, type ScenarioContext, scenariosOf } from './scenario.ts';
import { splitAmount } from './split-amount.ts';

const TABLE = { title: 'A table' };

const scenario = scenariosOf<Order>('120.00', ({ status, closeReason }) => {
  return `order is ${status}${closeReason === null ? '' : ` (${closeReason})`}`;
});

export const orderScenarios = {
  'order.created': scenario('created; no money moved', (context) => createOrder(context, TABLE)),
  'order.reserved': scenario("the buyer's funds are reserved", async (context) =>
    advanceTo(context, await createOrder(context, TABLE), 'FUNDS_RESERVED'),
  ),
  'order.escrow': scenario('the escrow contract is deployed, not funded', async (context) =>
    advanceTo(context, await createOrder(context, TABLE), 'ESCROW_FUNDING'),
  ),
  'order.funded': scenario('the escrow is funded; the order is in progress', (context) =>
    orderInProgress(context, TABLE),
  ),
  'order.released': scenario('escrow funded, then released to the seller', async (context) => {
    const { id } = await orderInProgress(context, TABLE);
    return context.holdfast.orders.release(id);
  }),
  'order.refunded': scenario('escrow funded, then refunded to the buyer', async (context) => {
    const { id } = await orderInProgress(context, TABLE);
    return context.holdfast.orders.refund(id, { reason: 'Out of stock' });
  }),
  'order.canceled': scenario('canceled before the escrow exists', async (context) => {
    const { id } = await advanceTo(context, await createOrder(context, TABLE), 'FUNDS_RESERVED');
    return context.holdfast.orders.cancel(id, { reason: 'Changed my mind' });
  }),
  'order.milestones': scenario('two milestones completed, then released', async (context) => {
    const { id } = await orderInProgress(context, houseOf(context.amount));
    for (const ref of ['design', 'build']) {
      await context.holdfast.milestones.complete(id, ref);
      context.report(`milestone ${ref} completed`);
    }
    return context.holdfast.orders.release(id);
  }),
  'order.funding_refused': scenario(
    'the provider rejects the funding; the funds are reserved again',
    refusal,
  ),
  'order.unknown_outcome': scenario(
    'the response to the release is lost; the outcome is determined later',
    unknown,
  ),
} as const satisfies Record<string, Scenario>;

export function houseOf(amount: string) {
  const [design, build] = splitAmount(amount, 40);
  return {
    title: 'A house',
    milestones: [
      { ref: 'design', title: 'Design', amount: design },
      { ref: 'build', title: 'Build', amount: build },
    ],
  };
}

async function refusal(context: ScenarioContext): Promise<Order> {
  const { holdfast, sandbox } = context;
  const { id } = await advanceTo(context, await createOrder(context, TABLE), 'ESCROW_FUNDING');
  await sandbox.arm({ provider: 'escrow', operation: 'fund', kind: 'reject' });
  const funding = await holdfast.orders.fundEscrow(id).result();
  context.report(funding.ok ? 'funding succeeded' : `funding rejected: ${funding.error.code}`);
  return holdfast.orders.get(id);
}

/** The network executes the transaction but its response is lost: the worker checks the outcome. */
async function unknown(context: ScenarioContext): Promise<Order> {
  const { holdfast, sandbox } = context;
  const { id } = await orderInProgress(context, TABLE);
  await sandbox.arm({ provider: 'ledger', operation: 'submit', kind: 'drop-after' });
  const responseText = 'another call received the injected fault; the release completed';
  await loseResponse(context, holdfast.orders.release(id), responseText);
  return holdfast.orders.waitFor(id, 'CLOSED');
}
