//! Fills a marketplace with a demo: an order in every state that lasts, disputes, money in and out.
//! Existing records stay unchanged, so that it can run on every start.
import { Holdfast } from '@holdfast/sdk';
import { DEMO_ORDERS, runDemoOrder } from './demo-orders.ts';
import { DEMO_PAYMENTS, paymentsBefore } from './demo-payments.ts';
import { personNamed } from './people.ts';
import { openSandbox } from './sandbox.ts';
import type { ScenarioContext } from './scenario.ts';

export interface DemoOptions {
  readonly api: string;
  readonly apiKey: string;
  readonly sandbox: string;
  /** Is called after each part. */
  readonly onProgress?: (done: number, of: number, part: string) => void;
}

export interface DemoFacts {
  readonly orders: number;
  readonly payments: number;
}

interface DemoStep {
  readonly title: string;
  /** Parts of one person run one after the other: a wallet sends one payment at a time. */
  readonly person: string;
  readonly run: () => Promise<void>;
}

export async function seedDemo(options: DemoOptions): Promise<DemoFacts> {
  const context: ScenarioContext = {
    holdfast: new Holdfast({ baseUrl: options.api, apiKey: options.apiKey }),
    sandbox: openSandbox(options.sandbox),
    people: new Map(),
    amount: '',
    report: () => undefined,
  };
  await createPeople(context);
  const before = await paymentsBefore(context);
  const steps: DemoStep[] = [
    ...DEMO_ORDERS.map((order) => ({
      title: order.title,
      person: order.buyer,
      run: () => runDemoOrder(context, order),
    })),
    ...DEMO_PAYMENTS.map((payment) => ({
      title: payment.title,
      person: payment.user,
      run: () => payment.run(context, payment, before),
    })),
  ];
  const { payout } = await context.sandbox.paceNow();
  // What is on its way shall be seen there, not end by itself a moment later.
  await context.sandbox.pace({ payout: null });
  try {
    await runAll(steps, options.onProgress);
  } finally {
    await context.sandbox.pace({ payout });
  }
  return { orders: DEMO_ORDERS.length, payments: DEMO_PAYMENTS.length };
}

const FIRST_MONEY = '5000.00';

/**
 * One after the other: each takes a wallet from the same pool. Their first money is credited under
 * a reference, so only once.
 */
async function createPeople(context: ScenarioContext): Promise<void> {
  const named = new Set([
    ...DEMO_ORDERS.flatMap(({ buyer, seller }) => [buyer, seller]),
    ...DEMO_PAYMENTS.map(({ user }) => user),
  ]);
  for (const name of named) {
    const { id } = await personNamed(context, name);
    const gift = { amount: FIRST_MONEY, reference: 'demo', description: 'Opening balance' };
    await context.holdfast.balances.credit(id, gift);
  }
}

async function runAll(steps: readonly DemoStep[], onProgress: DemoOptions['onProgress']) {
  const people = Map.groupBy(steps, ({ person }) => person);
  let done = 0;
  await Promise.all(
    [...people.values()].map(async (own) => {
      for (const { title, run } of own) {
        await run();
        done += 1;
        onProgress?.(done, steps.length, title);
      }
    }),
  );
}
