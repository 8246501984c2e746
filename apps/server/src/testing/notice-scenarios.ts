//! Notices of the escrow provider that are true and that nobody has found out yet: one for each
//! kind of change that they can make.
import { randomUUID } from 'node:crypto';
import { storeEvent } from '../inbox/provider-event.ts';
import { createEscrow } from '../orders/create-escrow.ts';
import { fundEscrow } from '../orders/fund-escrow.ts';
import { releaseOrder } from '../orders/release-order.ts';
import { resolveDispute } from '../orders/resolve-dispute.ts';
import { dealIn, type EscrowedDeal, type EscrowWorld, refusalOf, stones } from './escrows.ts';
import type { Scenario } from './order-scenarios.ts';
import { postponeAll } from './put-off.ts';
import { type Notice, noticeOf, signatureOf } from './webhooks.ts';
import type { Market } from './world.ts';

interface Place {
  readonly world: EscrowWorld;
  readonly market: Market;
}

type Told = (place: Place) => Promise<Notice>;

/** The answer to a step was lost, and it is an hour until the operation looks again. */
async function lose({ world }: Place, operation: string, work: () => Promise<unknown>) {
  await world.sandbox.arm('escrow', operation, 'drop-after');
  await refusalOf(work());
  await postponeAll(world);
}

function settled(
  type: string,
  step: string,
  work: (place: Place, deal: EscrowedDeal) => Promise<unknown>,
  state: 'IN_PROGRESS' | 'UNDER_REVIEW' = 'IN_PROGRESS',
): Told {
  return async (place) => {
    const { world, market } = place;
    const deal = await dealIn(world, market, state);
    await lose(place, step, () => work(place, deal));
    return noticeOf(world, market, deal, type);
  };
}

const TOLD: readonly Told[] = [
  async ({ world, market }) => {
    const deal = await dealIn(world, market, 'FUNDS_RESERVED');
    await world.sandbox.arm('escrow', 'deploy', 'no-contract-id');
    await createEscrow(world.app, market.call, deal.id);
    return noticeOf(world, market, deal, 'escrow.created');
  },
  async (place) => {
    const { world, market } = place;
    const deal = await dealIn(world, market, 'ESCROW_FUNDING');
    await lose(place, 'fund', () => fundEscrow(world.app, market.call, deal.id));
    return noticeOf(world, market, deal, 'escrow.funded');
  },
  async ({ world, market }) => {
    const deal = await dealIn(world, market, 'IN_PROGRESS', { milestones: stones(1) });
    const fields = { milestone_ref: 'm1' };
    return noticeOf(world, market, deal, 'escrow.milestone_completed', fields);
  },
  settled('escrow.released', 'release', ({ world, market }, { id }) =>
    releaseOrder(world.app, market.call, id),
  ),
  // Pays the buyer back too; one alone uses a resolver, whose transactions go one by one.
  settled(
    'escrow.released',
    'resolve',
    ({ world, market }, { disputeId }) => {
      const wish = { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00' } as const;
      return resolveDispute(world.app, market.call, disputeId, wish);
    },
    'UNDER_REVIEW',
  ),
];

/** Each sent signed, and the last of them twice. */
export function noticeScenarios(here: () => Place): readonly Scenario[] {
  const sent = (notice: Notice) => {
    const body = JSON.stringify(notice);
    return { body, headers: { 'x-escrow-signature': signatureOf(body) } };
  };
  const repeated: Scenario = async () => {
    const { world, market } = here();
    const deal = await dealIn(world, market, 'IN_PROGRESS');
    return { ...sent(await noticeOf(world, market, deal, 'escrow.funded')), isRepeat: true };
  };
  return [...TOLD.map((told) => async () => sent(await told(here()))), repeated];
}

/** The same, stored by a process that died before it could apply them. */
export async function storeNotices(place: Place): Promise<void> {
  for (const told of TOLD) {
    const notice = await told(place);
    const { type, event_id: eventId } = notice;
    const event = { provider: 'escrow-provider', eventId, type } as const;
    const body = JSON.stringify(notice);
    await storeEvent(place.world.app, { ...event, body, requestId: randomUUID() });
  }
}
