//! Notifications of the escrow provider that are true and not yet known here: one for each kind of
//! change that they can cause.
import { randomUUID } from 'node:crypto';
import { resolveDispute } from '../../orders/disputes/resolve-dispute.ts';
import { createEscrow } from '../../orders/escrow/create-escrow.ts';
import { fundEscrow } from '../../orders/escrow/fund-escrow.ts';
import { releaseOrder } from '../../orders/settlement/release-order.ts';
import { storeEvent } from '../../webhooks/incoming/inbox.ts';
import { owe } from '../debts.ts';
import { postponeAll } from '../due.ts';
import {
  type EscrowedOrder,
  type EscrowWorld,
  escrowOrderIn,
  milestonesOf,
  refusalOf,
} from '../escrows.ts';
import { type EscrowNotification, notificationOf, signatureOf } from '../webhooks.ts';
import type { Market } from '../world.ts';
import type { Scenario } from './order-scenarios.ts';

interface ScenarioContext {
  readonly world: EscrowWorld;
  readonly market: Market;
}

type NotificationBuilder = (context: ScenarioContext) => Promise<EscrowNotification>;

/** The reply to a step was lost, and the operation checks again in an hour. */
async function lose({ world }: ScenarioContext, operation: string, work: () => Promise<unknown>) {
  await world.sandbox.arm('escrow', operation, 'drop-after');
  await refusalOf(work());
  await postponeAll(world);
}

/** The seller owes money. */
function settled(
  type: string,
  step: string,
  work: (context: ScenarioContext, order: EscrowedOrder) => Promise<unknown>,
  state: 'IN_PROGRESS' | 'UNDER_REVIEW' = 'IN_PROGRESS',
): NotificationBuilder {
  return async (context) => {
    const { world, market } = context;
    const order = await escrowOrderIn(world, market, state);
    await owe(world, market, order.sellerId);
    await lose(context, step, () => work(context, order));
    return notificationOf(world, market, order, type);
  };
}

const NOTIFICATIONS: readonly NotificationBuilder[] = [
  async ({ world, market }) => {
    const order = await escrowOrderIn(world, market, 'FUNDS_RESERVED');
    await world.sandbox.arm('escrow', 'deploy', 'no-contract-id');
    await createEscrow(world.app, market.call, order.id);
    return notificationOf(world, market, order, 'escrow.created');
  },
  async (context) => {
    const { world, market } = context;
    const order = await escrowOrderIn(world, market, 'ESCROW_FUNDING');
    await lose(context, 'fund', () => fundEscrow(world.app, market.call, order.id));
    return notificationOf(world, market, order, 'escrow.funded');
  },
  async ({ world, market }) => {
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS', {
      milestones: milestonesOf(1),
    });
    const fields = { milestone_ref: 'm1' };
    return notificationOf(world, market, order, 'escrow.milestone_completed', fields);
  },
  settled('escrow.released', 'release', ({ world, market }, { id }) =>
    releaseOrder(world.app, market.call, id),
  ),
  // This also pays the buyer back. It is the only scenario with a resolver, whose transactions go
  // one by one.
  settled(
    'escrow.released',
    'resolve',
    ({ world, market }, { disputeId }) => {
      const input = { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00' } as const;
      return resolveDispute(world.app, market.call, disputeId, input);
    },
    'UNDER_REVIEW',
  ),
];

/** Each is sent signed, and the last of them twice. */
export function notificationScenarios(here: () => ScenarioContext): readonly Scenario[] {
  const sent = (notification: EscrowNotification) => {
    const body = JSON.stringify(notification);
    return { body, headers: { 'x-escrow-signature': signatureOf(body) } };
  };
  const repeated: Scenario = async () => {
    const { world, market } = here();
    const order = await escrowOrderIn(world, market, 'IN_PROGRESS');
    return { ...sent(await notificationOf(world, market, order, 'escrow.funded')), isRepeat: true };
  };
  return [...NOTIFICATIONS.map((build) => async () => sent(await build(here()))), repeated];
}

/** The same, stored by a process that died before it could apply them. */
export async function storeNotifications(context: ScenarioContext): Promise<void> {
  for (const build of NOTIFICATIONS) {
    const notification = await build(context);
    const { type, event_id: eventId } = notification;
    const event = { provider: 'escrow-provider', eventId, type } as const;
    const body = JSON.stringify(notification);
    await storeEvent(context.world.app, { ...event, body, requestId: randomUUID() });
  }
}
