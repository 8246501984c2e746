//! The stories of a withdrawal. Names in an e-mail address decide how the sandbox treats it.
import type { Withdrawal } from '@holdfast/sdk';
import { loseAnswer } from './lost-answer.ts';
import { give, somebody } from './people.ts';
import type { Scenario, Stage } from './stage.ts';

const AMOUNT = '20.00';

const story = (tells: string, act: (stage: Stage) => Promise<Withdrawal>): Scenario => ({
  tells,
  amount: AMOUNT,
  play: async (stage) => {
    const { id, status, failureReason } = await act(stage);
    stage.tell(`the withdrawal is ${status}${failureReason === null ? '' : `: ${failureReason}`}`);
    return { id, status };
  },
});

export const withdrawalStories = {
  'withdrawal.created': story('asked for; the money is held, nothing is sent', (stage) =>
    asked(stage),
  ),
  'withdrawal.pending': story('sent, and on its way', (stage) => pending(stage)),
  'withdrawal.completed': story('paid out', async (stage) => {
    const { id } = await pending(stage);
    await stage.sandbox.endPayout(id, 'COMPLETED');
    return stage.holdfast.withdrawals.waitFor(id, 'WITHDRAWAL_COMPLETED');
  }),
  'withdrawal.failed': story('the provider refuses it; the money is available again', refused),
  'withdrawal.returned': story('sent, and it comes back; the money is available again', (stage) =>
    endedOutside(stage, 'FAILED', 'WITHDRAWAL_FAILED'),
  ),
  'withdrawal.canceled': story('the provider gives it up; the money is available again', (stage) =>
    endedOutside(stage, 'CANCELED', 'WITHDRAWAL_CANCELED'),
  ),
  'withdrawal.user_action': story('the recipient must act first', async (stage) => {
    const { id } = await asked(stage, 'signup');
    return stage.holdfast.withdrawals.commit(id);
  }),
  'withdrawal.unknown_outcome': story('sent, and the answer is lost; found again', unknown),
} as const satisfies Record<string, Scenario>;

async function asked(stage: Stage, name = 'payee'): Promise<Withdrawal> {
  const user = await somebody(stage, name);
  await give(stage, user, stage.amount);
  const withdrawal = await stage.holdfast.withdrawals.create({
    userId: user.id,
    amount: stage.amount,
    currency: 'USD',
    destination: { type: 'payment_account', ref: user.email ?? '' },
  });
  stage.tell(`${withdrawal.id}: ${withdrawal.amount} ${withdrawal.currency} to ${user.email}`);
  return withdrawal;
}

/** Sent while nothing ends by itself, so that it stays on its way. */
async function pending(stage: Stage): Promise<Withdrawal> {
  const { sandbox, holdfast } = stage;
  const { id } = await asked(stage);
  const { payout } = await sandbox.paceNow();
  await sandbox.pace({ payout: null });
  try {
    await holdfast.withdrawals.commit(id);
    stage.tell('committed: the pay-out is sent');
    return await holdfast.withdrawals.waitFor(id, 'WITHDRAWAL_PENDING');
  } finally {
    await sandbox.pace({ payout });
  }
}

async function endedOutside(
  stage: Stage,
  end: 'FAILED' | 'CANCELED',
  status: Withdrawal['status'],
): Promise<Withdrawal> {
  const { id } = await pending(stage);
  await stage.sandbox.endPayout(id, end);
  stage.tell(`at the provider it is ${end}`);
  return stage.holdfast.withdrawals.waitFor(id, status);
}

async function refused(stage: Stage): Promise<Withdrawal> {
  const { id } = await asked(stage);
  await stage.sandbox.arm({ provider: 'payment', operation: 'payout.create', kind: 'reject' });
  return stage.holdfast.withdrawals.commit(id);
}

async function unknown(stage: Stage): Promise<Withdrawal> {
  const { holdfast, sandbox } = stage;
  const { id } = await asked(stage);
  await sandbox.arm({ provider: 'payment', operation: 'payout.commit', kind: 'drop-after' });
  await loseAnswer(stage, holdfast.withdrawals.commit(id, { maxRetries: 0 }));
  return holdfast.withdrawals.waitFor(id, ['WITHDRAWAL_PENDING', 'WITHDRAWAL_COMPLETED']);
}
