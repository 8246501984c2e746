//! Runs whole scenarios between people of the lab, by the operations of all orders: POST /lab/seed.
import { setTimeout as sleep } from 'node:timers/promises';
import type { LAB_SAMPLES } from '@holdfast/contract/enums';
import { Refusal, refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import type { DisputeId, OrderId, UserId } from '@holdfast/kernel/ids';
import { creditBalance } from '../../accounts/books/credit-balance.ts';
import type { Books } from '../../accounts/books/post.ts';
import { createUser, type UserCreator } from '../../accounts/users/create-user.ts';
import {
  linkPaymentAccount,
  type PaymentAccountLinker,
} from '../../accounts/users/link-payment-account.ts';
import type { Requester } from '../../engine/execute-request.ts';
import { openDispute } from '../../orders/disputes/open-dispute.ts';
import { createEscrow } from '../../orders/escrow/create-escrow.ts';
import { fundEscrow } from '../../orders/escrow/fund-escrow.ts';
import type { Order } from '../../orders/model/order.ts';
import { createOrderInTx } from '../../orders/order/create-order.ts';
import { type ParsedOrder, readOrderInput } from '../../orders/order/order-input.ts';
import { getOrder } from '../../orders/order/read-orders.ts';
import { reserveOrder } from '../../orders/order/reserve-order.ts';
import { releaseOrder } from '../../orders/settlement/release-order.ts';
import type { Call, TenantActor } from '../../platform/call.ts';
import { transact } from '../../platform/database/transact.ts';
import { type MaybeSandbox, sandboxOf } from './lab.ts';

export type Sample = (typeof LAB_SAMPLES)[number];

export interface SeededOrder {
  readonly id: OrderId;
  readonly status: Order['status'];
  readonly disputeId: DisputeId | null;
  /** Null when its sample ran to the end; else the reason why it stopped. */
  readonly stoppedBy: string | null;
}

export interface LabSeed {
  readonly sample: Sample;
  readonly orders: readonly SeededOrder[];
}

interface Seeder extends Books, Requester, UserCreator, PaymentAccountLinker {
  readonly sandbox: MaybeSandbox;
}

interface SeedContext {
  readonly app: Seeder;
  readonly call: Call<TenantActor>;
  /** By the clock of the process: the sandbox's clock may be set forward meanwhile. */
  readonly endsAt: number;
}

type Agreed = ParsedOrder['terms'];
type Step = (context: SeedContext, agreed: Agreed) => Promise<unknown>;

/** No step starts later than this, so that the response comes before the caller's time-out. */
const RUN_MS_MAX = 15_000;
const POLL_INTERVAL_MS = 100;
const OUT_OF_TIME = 'The request timed out before the next step started.';

const reserved: readonly Step[] = [give, reserve];
const escrowed: readonly Step[] = [...reserved, deploy, fund];

/** The final state of each sample, and its steps. */
export const SAMPLES: Readonly<Record<Sample, { description: string; steps: readonly Step[] }>> = {
  'order-reserved': {
    description: 'The buyer’s funds are reserved for the order.',
    steps: reserved,
  },
  'order-in-progress': {
    description: 'The funds are in escrow, and the seller is working.',
    steps: escrowed,
  },
  'order-disputed': {
    description: 'The funds are in escrow, and the buyer has opened a dispute: not delivered.',
    steps: [...escrowed, dispute],
  },
  'order-released': {
    description: 'The work is done, and the seller has been paid from escrow.',
    steps: [...escrowed, release],
  },
};

/**
 * Orders use them in rotation. A wallet sends one transaction at a time, so each has its own
 * people.
 */
const SCENES = [
  { buyer: 'lab-ada', seller: 'lab-bob', title: 'A reading lamp', amount: '45.00' },
  { buyer: 'lab-cyd', seller: 'lab-eve', title: 'A rocking chair', amount: '210.00' },
  { buyer: 'lab-dan', seller: 'lab-flo', title: 'A standing desk', amount: '420.00' },
  { buyer: 'lab-gil', seller: 'lab-hal', title: 'A used bicycle', amount: '150.00' },
] as const;

/**
 * Refuses before an order is created, or not at all: a later failure of a sample is returned with
 * its order, and running operations continue. If the orders cannot be read, the outcome is open.
 * Only people of the lab get money, and only in a sandbox; so no approval is needed.
 */
export async function seedLab(
  app: Seeder,
  call: Call<TenantActor>,
  { sample, count }: { readonly sample: Sample; readonly count: number },
  runMsMax = RUN_MS_MAX,
): Promise<LabSeed> {
  sandboxOf(app.sandbox);
  await app.engine.checkUp();
  const context: SeedContext = { app, call, endsAt: performance.now() + runMsMax };
  const agreed = await agree(context, sample, count);
  const byBuyer = [...Map.groupBy(agreed, ({ buyerId }) => buyerId).values()];
  const seeded = new Map<OrderId, SeededOrder>();
  const ends = await Promise.allSettled(
    byBuyer.map(async (own) => {
      for (const each of own) seeded.set(each.id, await runSample(context, sample, each));
    }),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return { sample, orders: agreed.flatMap(({ id }) => seeded.get(id) ?? []) };
}

/** All of them or none. */
async function agree(
  context: SeedContext,
  sample: Sample,
  count: number,
): Promise<readonly Agreed[]> {
  const { app, call } = context;
  const parties: (readonly [buyerId: UserId, sellerId: UserId])[] = [];
  for (const { buyer, seller } of SCENES.slice(0, count))
    parties.push([await person(context, buyer), await person(context, seller)]);
  const wanted = Array.from({ length: count }, (_, at) => {
    const scene = SCENES[at % SCENES.length];
    const [buyerId, sellerId] = parties[at % SCENES.length] ?? [];
    assert(scene && buyerId && sellerId, 'every order has a scene, and every scene its people');
    const { title, amount } = scene;
    const description = `Test lab sample order: ${sample}`;
    return readOrderInput({ buyerId, sellerId, amount, title, description }, app.clock.now());
  });
  if (performance.now() > context.endsAt) refuse('PROVIDER_TIMEOUT', { operationId: null });
  await transact(app, call, async (tx) => {
    for (const each of wanted) await createOrderInTx(tx, each);
  });
  return wanted.map(({ terms }) => terms);
}

/** The same name is the same person in every seed. */
async function person({ app, call }: SeedContext, name: string): Promise<UserId> {
  const wanted = { externalUserId: name, email: `${name}@example.test` };
  const { user } = await createUser(app, call, wanted);
  if (user.paymentAccountUserId === null) await linkPaymentAccount(app, call, user.id, wanted);
  return user.id;
}

async function runSample(
  context: SeedContext,
  sample: Sample,
  agreed: Agreed,
): Promise<SeededOrder> {
  const stoppedBy = await takeSteps(context, SAMPLES[sample].steps, agreed);
  const { id, status, dispute } = await fetchOrder(context, agreed);
  return { id, status, disputeId: dispute?.id ?? null, stoppedBy };
}

/** The order exists: a response that nothing was done would cause a second one. */
async function fetchOrder({ app, call }: SeedContext, { id }: Agreed) {
  return getOrder(app, call, id).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    return refuse('PROVIDER_TIMEOUT', { operationId: null });
  });
}

/** Null when all were taken. */
async function takeSteps(context: SeedContext, steps: readonly Step[], agreed: Agreed) {
  try {
    for (const step of steps) {
      if (performance.now() > context.endsAt) return OUT_OF_TIME;
      await step(context, agreed);
    }
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { reason = error.message } = error.details as { readonly reason?: string };
    return `${error.code}: ${reason}`;
  }
}

async function give({ app, call }: SeedContext, { buyerId, amount, currency }: Agreed) {
  const gift = { amount: amount.text, currency, description: 'Test lab sample order' };
  return creditBalance(app, call, buyerId, gift);
}

async function reserve({ app, call }: SeedContext, { id }: Agreed) {
  return reserveOrder(app, call, id);
}

async function deploy({ app, call, endsAt }: SeedContext, { id }: Agreed) {
  let { status } = await createEscrow(app, call, id);
  // The network may report the contract's id a moment later.
  while (status === 'ESCROW_CREATING' && performance.now() < endsAt) {
    await sleep(POLL_INTERVAL_MS);
    ({ status } = await getOrder(app, call, id));
  }
}

async function fund({ app, call }: SeedContext, { id }: Agreed) {
  return fundEscrow(app, call, id);
}

async function dispute({ app, call }: SeedContext, { id }: Agreed) {
  return openDispute(app, call, id, { openedBy: 'BUYER', reason: 'NOT_DELIVERED' });
}

async function release({ app, call }: SeedContext, { id }: Agreed) {
  return releaseOrder(app, call, id);
}
