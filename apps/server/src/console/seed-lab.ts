//! Plays whole stories between people of the lab, by the operations of all orders: POST /lab/seed.
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal, refuse } from '@holdfast/contract/errors';
import type { LAB_STORIES } from '@holdfast/contract/words';
import { assert } from '@holdfast/kernel/assert';
import type { DisputeId, OrderId, UserId } from '@holdfast/kernel/ids';
import { creditBalance } from '../books/credit-balance.ts';
import type { Books } from '../books/post.ts';
import type { Requester } from '../engine/drive-request.ts';
import { createEscrow } from '../orders/create-escrow.ts';
import { makeOrder } from '../orders/create-order.ts';
import { fundEscrow } from '../orders/fund-escrow.ts';
import { getOrder } from '../orders/get-order.ts';
import { openDispute } from '../orders/open-dispute.ts';
import type { Order } from '../orders/order.ts';
import { type ReadOrder, readOrderWish } from '../orders/order-wish.ts';
import { releaseOrder } from '../orders/release-order.ts';
import { reserveOrder } from '../orders/reserve-order.ts';
import type { Call, TenantActor } from '../platform/call.ts';
import { transact } from '../platform/transact.ts';
import { createUser, type UserMaker } from '../users/create-user.ts';
import { linkPaymentAccount, type PaymentAccountLinker } from '../users/link-payment-account.ts';
import { type MaybeSandbox, sandboxOf } from './steer-lab.ts';

export type Story = (typeof LAB_STORIES)[number];

export interface SeededOrder {
  readonly id: OrderId;
  readonly status: Order['status'];
  readonly disputeId: DisputeId | null;
  /** Null when its story was played to the end; else why it rests where it is. */
  readonly stoppedBy: string | null;
}

export interface LabSeed {
  readonly story: Story;
  readonly orders: readonly SeededOrder[];
}

interface Seeder extends Books, Requester, UserMaker, PaymentAccountLinker {
  readonly sandbox: MaybeSandbox;
}

interface Stage {
  readonly app: Seeder;
  readonly call: Call<TenantActor>;
  /** By the clock of the process: that of the sandbox may be set forward meanwhile. */
  readonly endsAt: number;
}

type Agreed = ReadOrder['terms'];
type Step = (stage: Stage, agreed: Agreed) => Promise<unknown>;

/** No step begins later than this, so that the answer comes before whoever asks has given up. */
const PLAY_MS_MAX = 15_000;
const LOOK_EVERY_MS = 100;
const OUT_OF_TIME = 'The time of one request was over; nothing more was begun.';

const reserved: readonly Step[] = [give, reserve];
const escrowed: readonly Step[] = [...reserved, deploy, fund];

/** What each story leaves behind, and how it gets there. */
export const STORIES: Readonly<Record<Story, { means: string; steps: readonly Step[] }>> = {
  'order-reserved': {
    means: 'The buyer has the money, and it is set aside for the order.',
    steps: reserved,
  },
  'order-in-progress': {
    means: 'The money is in the contract, and the seller is at work.',
    steps: escrowed,
  },
  'order-disputed': {
    means: 'The money is in the contract, and the buyer says that nothing was delivered.',
    steps: [...escrowed, dispute],
  },
  'order-released': {
    means: 'The work is done, and the contract has paid the seller.',
    steps: [...escrowed, release],
  },
};

/** Orders take turns on them. A wallet sends one thing at a time, so each has people of its own. */
const SCENES = [
  { buyer: 'lab-ada', seller: 'lab-bob', title: 'A reading lamp', amount: '45.00' },
  { buyer: 'lab-cyd', seller: 'lab-eve', title: 'A rocking chair', amount: '210.00' },
  { buyer: 'lab-dan', seller: 'lab-flo', title: 'A standing desk', amount: '420.00' },
  { buyer: 'lab-gil', seller: 'lab-hal', title: 'A used bicycle', amount: '150.00' },
] as const;

/**
 * Refused before an order is made, or not at all: whatever stops a story later is told with its
 * order, and what is under way goes on. What cannot be told is an open outcome. Only people of the
 * lab are given money and paid, and only in a sandbox; so no second person is asked.
 */
export async function seedLab(
  app: Seeder,
  call: Call<TenantActor>,
  { story, count }: { readonly story: Story; readonly count: number },
  playMsMax = PLAY_MS_MAX,
): Promise<LabSeed> {
  sandboxOf(app.sandbox);
  await app.engine.checkUp();
  const stage: Stage = { app, call, endsAt: performance.now() + playMsMax };
  const agreed = await agree(stage, story, count);
  const turns = [...Map.groupBy(agreed, ({ buyerId }) => buyerId).values()];
  const played = new Map<OrderId, SeededOrder>();
  const ends = await Promise.allSettled(
    turns.map(async (own) => {
      for (const each of own) played.set(each.id, await play(stage, story, each));
    }),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return { story, orders: agreed.flatMap(({ id }) => played.get(id) ?? []) };
}

/** All of them or none. */
async function agree(stage: Stage, story: Story, count: number): Promise<readonly Agreed[]> {
  const { app, call } = stage;
  const parties: (readonly [buyerId: UserId, sellerId: UserId])[] = [];
  for (const { buyer, seller } of SCENES.slice(0, count))
    parties.push([await person(stage, buyer), await person(stage, seller)]);
  const wanted = Array.from({ length: count }, (_, at) => {
    const scene = SCENES[at % SCENES.length];
    const [buyerId, sellerId] = parties[at % SCENES.length] ?? [];
    assert(scene && buyerId && sellerId, 'every order has a scene, and every scene its people');
    const { title, amount } = scene;
    const description = `A story of the test lab: ${story}`;
    return readOrderWish({ buyerId, sellerId, amount, title, description }, app.clock.now());
  });
  if (performance.now() > stage.endsAt) refuse('PROVIDER_TIMEOUT', { operationId: null });
  await transact(app, call, async (tx) => {
    for (const each of wanted) await makeOrder(tx, each);
  });
  return wanted.map(({ terms }) => terms);
}

/** The same name is the same person in every seed. */
async function person({ app, call }: Stage, name: string): Promise<UserId> {
  const wanted = { externalUserId: name, email: `${name}@example.test` };
  const { user } = await createUser(app, call, wanted);
  if (user.paymentAccountUserId === null) await linkPaymentAccount(app, call, user.id, wanted);
  return user.id;
}

async function play(stage: Stage, story: Story, agreed: Agreed): Promise<SeededOrder> {
  const stoppedBy = await takeSteps(stage, STORIES[story].steps, agreed);
  const { id, status, dispute } = await lookAt(stage, agreed);
  return { id, status, disputeId: dispute?.id ?? null, stoppedBy };
}

/** The order is there: an answer that nothing was done would have it made once more. */
async function lookAt({ app, call }: Stage, { id }: Agreed) {
  return getOrder(app, call, id).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    return refuse('PROVIDER_TIMEOUT', { operationId: null });
  });
}

/** Null when all were taken. */
async function takeSteps(stage: Stage, steps: readonly Step[], agreed: Agreed) {
  try {
    for (const step of steps) {
      if (performance.now() > stage.endsAt) return OUT_OF_TIME;
      await step(stage, agreed);
    }
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { reason = error.message } = error.details as { readonly reason?: string };
    return `${error.code}: ${reason}`;
  }
}

async function give({ app, call }: Stage, { buyerId, amount, currency }: Agreed) {
  const gift = { amount: amount.text, currency, description: 'For a story of the test lab' };
  return creditBalance(app, call, buyerId, gift);
}

async function reserve({ app, call }: Stage, { id }: Agreed) {
  return reserveOrder(app, call, id);
}

async function deploy({ app, call, endsAt }: Stage, { id }: Agreed) {
  let { status } = await createEscrow(app, call, id);
  // The network may tell the contract's id a moment later.
  while (status === 'ESCROW_CREATING' && performance.now() < endsAt) {
    await sleep(LOOK_EVERY_MS);
    ({ status } = await getOrder(app, call, id));
  }
}

async function fund({ app, call }: Stage, { id }: Agreed) {
  return fundEscrow(app, call, id);
}

async function dispute({ app, call }: Stage, { id }: Agreed) {
  return openDispute(app, call, id, { openedBy: 'BUYER', reason: 'NOT_DELIVERED' });
}

async function release({ app, call }: Stage, { id }: Agreed) {
  return releaseOrder(app, call, id);
}
