//! The scenarios of a top-up; the sandbox does the user's part on the payment page.
import type { Topup } from '@holdfast/sdk';
import { loseResponse } from './lost-response.ts';
import { newPerson } from './people.ts';
import { type Scenario, type ScenarioContext, scenariosOf } from './scenario.ts';

const EXPIRES_SECONDS = 16 * 86_400;

const scenario = scenariosOf<Topup>('50.00', ({ status }) => `top-up is ${status}`);

export const topupScenarios = {
  'topup.created': scenario('created; the user has not paid yet', created),
  'topup.processing': scenario('paid; the provider is processing', processing),
  'topup.succeeded': scenario('paid and credited', (context) =>
    atTheProvider(context, 'CONFIRMED', 'TOPUP_SUCCEEDED'),
  ),
  'topup.failed': scenario('the payment is declined', (context) =>
    atTheProvider(context, 'FAILED', 'TOPUP_FAILED'),
  ),
  'topup.abandoned': scenario('the user cancels on the payment page', (context) =>
    atTheProvider(context, 'CANCELED', 'TOPUP_CANCELED'),
  ),
  'topup.canceled': scenario('the marketplace cancels the top-up', async (context) => {
    const { id } = await created(context);
    return context.holdfast.topups.cancel(id, { reason: 'Created twice' });
  }),
  'topup.expired': scenario('unpaid for 16 days; advances the sandbox clock', async (context) => {
    const { id } = await created(context);
    const { now } = await context.sandbox.advance(EXPIRES_SECONDS);
    context.report(`sandbox clock advanced to ${now.slice(0, 10)}`);
    return context.holdfast.topups.waitFor(id, 'TOPUP_CANCELED');
  }),
  'topup.unknown_outcome': scenario(
    'the provider creates the top-up, but the response is lost',
    unknown,
  ),
} as const satisfies Record<string, Scenario>;

async function created(context: ScenarioContext): Promise<Topup> {
  const { id: userId } = await newPerson(context, 'payer');
  const topup = await context.holdfast.topups.create({ userId, amount: context.amount });
  context.report(`${topup.id}: ${topup.amount} ${topup.currency}, payment page:`);
  context.report(`${topup.confirmationUri}`);
  return topup;
}

async function atTheProvider(
  context: ScenarioContext,
  end: 'CONFIRMED' | 'FAILED' | 'CANCELED',
  status: Topup['status'],
): Promise<Topup> {
  const { id } = await created(context);
  await context.sandbox.endPayin(id, end);
  context.report(`provider status: ${end}`);
  return context.holdfast.topups.waitFor(id, status);
}

/** The user pays while the sandbox completes nothing by itself. */
async function processing(context: ScenarioContext): Promise<Topup> {
  const { sandbox, holdfast } = context;
  const topup = await created(context);
  const { payin } = await sandbox.paceNow();
  await sandbox.pace({ payin: null });
  try {
    await fetch(`${topup.confirmationUri}/confirm`, { method: 'POST' });
    return await holdfast.topups.waitFor(topup.id, 'TOPUP_PROCESSING');
  } finally {
    await sandbox.pace({ payin });
  }
}

async function unknown(context: ScenarioContext): Promise<Topup> {
  const { holdfast, sandbox } = context;
  const { id: userId } = await newPerson(context, 'payer');
  await sandbox.arm({ provider: 'payment', operation: 'payin.create', kind: 'drop-after' });
  const input = { userId, amount: context.amount };
  await loseResponse(context, holdfast.topups.create(input, { maxRetries: 0 }));
  const { items } = await holdfast.topups.list({ userId }).page();
  const id = items[0]?.id ?? '';
  return holdfast.topups.waitFor(id, 'TOPUP_AWAITING_USER_CONFIRMATION');
}
