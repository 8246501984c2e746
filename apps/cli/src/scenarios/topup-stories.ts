//! The stories of a top-up; what a person does on the pay page is done for them.
import type { Topup } from '@holdfast/sdk';
import { loseAnswer } from './lost-answer.ts';
import { somebody } from './people.ts';
import type { Scenario, Stage } from './stage.ts';

const AMOUNT = '50.00';
const EXPIRES_SECONDS = 16 * 86_400;

const story = (tells: string, act: (stage: Stage) => Promise<Topup>): Scenario => ({
  tells,
  amount: AMOUNT,
  play: async (stage) => {
    const { id, status } = await act(stage);
    stage.tell(`the top-up is ${status}`);
    return { id, status };
  },
});

export const topupStories = {
  'topup.created': story('the pay page waits for its person', asked),
  'topup.processing': story('paid; the provider still works on it', processing),
  'topup.succeeded': story('paid and credited', (stage) =>
    atTheProvider(stage, 'CONFIRMED', 'TOPUP_SUCCEEDED'),
  ),
  'topup.failed': story('the payment is declined', (stage) =>
    atTheProvider(stage, 'FAILED', 'TOPUP_FAILED'),
  ),
  'topup.abandoned': story('the person gives up on the pay page', (stage) =>
    atTheProvider(stage, 'CANCELED', 'TOPUP_CANCELED'),
  ),
  'topup.canceled': story('the marketplace takes it back', async (stage) => {
    const { id } = await asked(stage);
    return stage.holdfast.topups.cancel(id, { reason: 'Asked for twice' });
  }),
  'topup.expired': story('nobody pays for 16 days; sets the clock forward', async (stage) => {
    const { id } = await asked(stage);
    const { now } = await stage.sandbox.advance(EXPIRES_SECONDS);
    stage.tell(`it is ${now.slice(0, 10)} now`);
    return stage.holdfast.topups.waitFor(id, 'TOPUP_CANCELED');
  }),
  'topup.unknown_outcome': story('the provider makes it and its answer is lost', unknown),
} as const satisfies Record<string, Scenario>;

async function asked(stage: Stage): Promise<Topup> {
  const { id: userId } = await somebody(stage, 'payer');
  const topup = await stage.holdfast.topups.create({ userId, amount: stage.amount });
  stage.tell(`${topup.id}: ${topup.amount} ${topup.currency}, to be paid at`);
  stage.tell(`${topup.confirmationUri}`);
  return topup;
}

async function atTheProvider(
  stage: Stage,
  end: 'CONFIRMED' | 'FAILED' | 'CANCELED',
  status: Topup['status'],
): Promise<Topup> {
  const { id } = await asked(stage);
  await stage.sandbox.endPayin(id, end);
  stage.tell(`at the provider it is ${end}`);
  return stage.holdfast.topups.waitFor(id, status);
}

/** The button is pressed while nothing moves on by itself. */
async function processing(stage: Stage): Promise<Topup> {
  const { sandbox, holdfast } = stage;
  const topup = await asked(stage);
  const { payin } = await sandbox.paceNow();
  await sandbox.pace({ payin: null });
  try {
    await fetch(`${topup.confirmationUri}/confirm`, { method: 'POST' });
    return await holdfast.topups.waitFor(topup.id, 'TOPUP_PROCESSING');
  } finally {
    await sandbox.pace({ payin });
  }
}

async function unknown(stage: Stage): Promise<Topup> {
  const { holdfast, sandbox } = stage;
  const { id: userId } = await somebody(stage, 'payer');
  await sandbox.arm({ provider: 'payment', operation: 'payin.create', kind: 'drop-after' });
  const wish = { userId, amount: stage.amount };
  await loseAnswer(stage, holdfast.topups.create(wish, { maxRetries: 0 }));
  const { items } = await holdfast.topups.list({ userId }).page();
  const id = items[0]?.id ?? '';
  return holdfast.topups.waitFor(id, 'TOPUP_AWAITING_USER_CONFIRMATION');
}
