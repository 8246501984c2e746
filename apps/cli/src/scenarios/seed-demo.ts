//! Fills a marketplace with a demo: an order in every state that lasts, disputes, money in and out.
//! What is there already is left as it is, so that it can be run on every start.
import { Holdfast } from '@holdfast/sdk';
import { DEMO_ORDERS, playDemoOrder } from './demo-orders.ts';
import { DEMO_PAYMENTS, paymentsBefore } from './demo-payments.ts';
import { personNamed } from './people.ts';
import { openSandbox } from './sandbox.ts';
import type { Stage } from './stage.ts';

export interface DemoOptions {
  readonly api: string;
  readonly apiKey: string;
  readonly sandbox: string;
  /** Is told after each part. */
  readonly onProgress?: (done: number, of: number, part: string) => void;
}

export interface DemoFacts {
  readonly orders: number;
  readonly payments: number;
}

interface Part {
  readonly title: string;
  /** Parts of one person are played one after the other: a wallet sends one thing at a time. */
  readonly person: string;
  readonly play: () => Promise<void>;
}

export async function seedDemo(options: DemoOptions): Promise<DemoFacts> {
  const stage: Stage = {
    holdfast: new Holdfast({ baseUrl: options.api, apiKey: options.apiKey }),
    sandbox: openSandbox(options.sandbox),
    people: new Map(),
    amount: '',
    tell: () => undefined,
  };
  await callPeople(stage);
  const before = await paymentsBefore(stage);
  const parts: Part[] = [
    ...DEMO_ORDERS.map((order) => ({
      title: order.title,
      person: order.buyer,
      play: () => playDemoOrder(stage, order),
    })),
    ...DEMO_PAYMENTS.map((payment) => ({
      title: payment.title,
      person: payment.user,
      play: () => payment.play(stage, payment, before),
    })),
  ];
  const { payout } = await stage.sandbox.paceNow();
  // What is on its way shall be seen there, not end by itself a moment later.
  await stage.sandbox.pace({ payout: null });
  try {
    await playAll(parts, options.onProgress);
  } finally {
    await stage.sandbox.pace({ payout });
  }
  return { orders: DEMO_ORDERS.length, payments: DEMO_PAYMENTS.length };
}

const FIRST_MONEY = '5000.00';

/**
 * One after the other: each takes a wallet out of the same stock. What they begin with is given
 * under a reference, so once.
 */
async function callPeople(stage: Stage): Promise<void> {
  const named = new Set([
    ...DEMO_ORDERS.flatMap(({ buyer, seller }) => [buyer, seller]),
    ...DEMO_PAYMENTS.map(({ user }) => user),
  ]);
  for (const name of named) {
    const { id } = await personNamed(stage, name);
    const gift = { amount: FIRST_MONEY, reference: 'demo', description: 'First money' };
    await stage.holdfast.balances.credit(id, gift);
  }
}

async function playAll(parts: readonly Part[], onProgress: DemoOptions['onProgress']) {
  const people = Map.groupBy(parts, ({ person }) => person);
  let done = 0;
  await Promise.all(
    [...people.values()].map(async (own) => {
      for (const { title, play } of own) {
        await play();
        done += 1;
        onProgress?.(done, parts.length, title);
      }
    }),
  );
}
