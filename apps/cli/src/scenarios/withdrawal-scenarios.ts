//! The scenarios of a withdrawal. Names in an e-mail address decide how the sandbox treats it.
import type { Withdrawal } from '@holdfast/sdk';
import { loseResponse } from './lost-response.ts';
import { give, newPerson } from './people.ts';
import { type Scenario, type ScenarioContext, scenariosOf } from './scenario.ts';

const scenario = scenariosOf<Withdrawal>('20.00', ({ status, failureReason }) => {
  return `withdrawal is ${status}${failureReason === null ? '' : `: ${failureReason}`}`;
});

export const withdrawalScenarios = {
  'withdrawal.created': scenario('created; the amount is reserved, nothing is sent', (context) =>
    created(context),
  ),
  'withdrawal.pending': scenario('committed; the payout is pending', (context) => pending(context)),
  'withdrawal.completed': scenario('paid out', async (context) => {
    const { id } = await pending(context);
    await context.sandbox.endPayout(id, 'COMPLETED');
    return context.holdfast.withdrawals.waitFor(id, 'WITHDRAWAL_COMPLETED');
  }),
  'withdrawal.failed': scenario(
    'the provider rejects the payout; the amount is available again',
    refused,
  ),
  'withdrawal.undelivered': scenario(
    'the payout could not be delivered; the amount is available again',
    (context) => endedByProvider(context, 'FAILED', 'WITHDRAWAL_FAILED'),
  ),
  'withdrawal.canceled': scenario(
    'the provider cancels the payout; the amount is available again',
    (context) => endedByProvider(context, 'CANCELED', 'WITHDRAWAL_CANCELED'),
  ),
  'withdrawal.user_action': scenario(
    'the payout waits until the recipient has signed up at the payment provider',
    async (context) => {
      const { id } = await created(context, 'signup');
      return context.holdfast.withdrawals.commit(id);
    },
  ),
  'withdrawal.unknown_outcome': scenario(
    'the response to the payout is lost; the outcome is determined later',
    unknown,
  ),
} as const satisfies Record<string, Scenario>;

async function created(context: ScenarioContext, name = 'payee'): Promise<Withdrawal> {
  const user = await newPerson(context, name);
  await give(context, user, context.amount);
  const withdrawal = await context.holdfast.withdrawals.create({
    userId: user.id,
    amount: context.amount,
    currency: 'USD',
    destination: { type: 'payment_account', ref: user.email ?? '' },
  });
  context.report(`${withdrawal.id}: ${withdrawal.amount} ${withdrawal.currency} to ${user.email}`);
  return withdrawal;
}

/** Sent while nothing ends by itself, so that it stays on its way. */
async function pending(context: ScenarioContext): Promise<Withdrawal> {
  const { sandbox, holdfast } = context;
  const { id } = await created(context);
  const { payout } = await sandbox.paceNow();
  await sandbox.pace({ payout: null });
  try {
    await holdfast.withdrawals.commit(id);
    context.report('payout sent');
    return await holdfast.withdrawals.waitFor(id, 'WITHDRAWAL_PENDING');
  } finally {
    await sandbox.pace({ payout });
  }
}

async function endedByProvider(
  context: ScenarioContext,
  end: 'FAILED' | 'CANCELED',
  status: Withdrawal['status'],
): Promise<Withdrawal> {
  const { id } = await pending(context);
  await context.sandbox.endPayout(id, end);
  context.report(`provider status: ${end}`);
  return context.holdfast.withdrawals.waitFor(id, status);
}

async function refused(context: ScenarioContext): Promise<Withdrawal> {
  const { id } = await created(context);
  await context.sandbox.arm({ provider: 'payment', operation: 'payout.create', kind: 'reject' });
  return context.holdfast.withdrawals.commit(id);
}

async function unknown(context: ScenarioContext): Promise<Withdrawal> {
  const { holdfast, sandbox } = context;
  const { id } = await created(context);
  await sandbox.arm({ provider: 'payment', operation: 'payout.commit', kind: 'drop-after' });
  await loseResponse(context, holdfast.withdrawals.commit(id, { maxRetries: 0 }));
  return holdfast.withdrawals.waitFor(id, ['WITHDRAWAL_PENDING', 'WITHDRAWAL_COMPLETED']);
}
