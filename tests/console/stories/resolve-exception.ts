//! Money left the provider twice, and the books know of once: a run finds it, and two book it.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { withdrawalStories } from '../../../apps/cli/src/scenarios/withdrawal-stories.ts';
import type { Operator } from '../operator.ts';
import type { Stage } from '../stage.ts';

const AMOUNT = '40.25';
/** The pretended provider takes five seconds. */
const PAYOUT_MS = 8_000;

export async function resolveException(stage: Stage): Promise<() => Promise<void>> {
  const withdrawalId = await payOutTwice(stage);
  const fiona = await stage.at('fiona');
  return () => play(stage, fiona, withdrawalId);
}

async function play(stage: Stage, fiona: Operator, withdrawalId: string): Promise<void> {
  const { page } = fiona;
  await fiona.go('/reconciliation');
  await fiona.act(fiona.button('Start a run'), 'Start');
  await page.waitForURL('**/reconciliation/rec_*');
  await page.getByText('Everything was compared').waitFor();
  const row = page.getByRole('row').filter({ hasText: withdrawalId });
  await row.getByText('Payout doubled').click();
  const drawer = page.getByRole('dialog', { name: /^Exception exc_/ });
  await drawer.getByText('A second pay-out that names one of our withdrawals').waitFor();
  const id = /exc_\w+/.exec(page.url())?.[0] ?? '';
  const dialog = await fiona.act(fiona.button('Book to suspense', drawer), 'Book to suspense');
  await dialog.getByText('Waiting for a second person').waitFor();
  await fiona.button('Close', dialog).last().click();
  await agree(await stage.at('felix'), id);
  await page.reload();
  await drawer.getByText('Dealt with').waitFor();

  const { status, amount, resolution } = await stage.holdfast.reconciliation.getException(id);
  assert.deepEqual([status, resolution?.action], ['RESOLVED', 'BOOK_TO_SUSPENSE']);
  assert.match(amount, new RegExp(`^-${AMOUNT}`));
}

/** As the second person: what is posted needs one, however little it is. */
async function agree(felix: Operator, exceptionId: string): Promise<void> {
  await felix.go('/approvals');
  const card = felix.page.getByRole('article').filter({ hasText: exceptionId });
  await felix.act(felix.button('Approve', card), 'Approve and do it');
  await card.waitFor({ state: 'detached' });
}

/** The withdrawal that the provider has paid once as we asked, and once more by itself. */
async function payOutTwice(stage: Stage): Promise<string> {
  const story = stage.story(AMOUNT);
  const { id } = await withdrawalStories['withdrawal.completed'].play(story);
  const { destination } = await stage.holdfast.withdrawals.get(id);
  const code = randomUUID();
  const payout = await askProvider(stage, '/payouts', {
    airtmUserEmail: destination.ref,
    amount: Number(AMOUNT),
    notes: `Withdrawal ${id}`,
    code,
    commit: false,
  });
  await stage.world.settleWithdrawal(code);
  await askProvider(stage, `/payouts/${payout.id}/commit`, {});
  // Until then it is on its way, and no exception.
  await sleep(PAYOUT_MS);
  return id;
}

async function askProvider({ set }: Stage, path: string, body: object): Promise<{ id: string }> {
  const {
    HOLDFAST_PAYMENT_PROVIDER_URL: url,
    HOLDFAST_PAYMENT_PROVIDER_KEY: key,
    HOLDFAST_PAYMENT_PROVIDER_SECRET: secret,
  } = set.settings;
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  assert.ok(answer.ok, `${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text || '{}') as { id: string };
}
