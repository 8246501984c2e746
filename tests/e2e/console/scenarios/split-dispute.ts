//! A split above the limit: one operator decides, a second approves on a phone, the sums add up.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Order } from '@holdfast/sdk';
import { DESKTOP, PHONE } from '../../../harness/browser/appearances.ts';
import type { Environment } from '../environment.ts';
import type { Operator } from '../operator.ts';

const AMOUNT = '900.00';
const TO_SELLER = '540.10';
const TO_BUYER = '359.90';

export async function splitDispute(environment: Environment): Promise<() => Promise<void>> {
  const order = await environment.order('A harp', AMOUNT);
  const { id } = await environment.holdfast.orders.openDispute(order.id, {
    openedBy: 'BUYER',
    reason: 'QUALITY_ISSUE',
    evidence: ['A string is missing.'],
  });
  const [sam, susan] = await Promise.all([environment.at('sam'), environment.at('susan')]);
  return async () => {
    await decideByTwo(environment, { sam, susan }, order, id);
    await expectSplit(environment, sam, order);
  };
}

interface People {
  readonly sam: Operator;
  readonly susan: Operator;
}

async function decideByTwo(
  environment: Environment,
  { sam, susan }: People,
  order: Order,
  id: string,
) {
  await decide(sam, id);
  const waiting = await environment.holdfast.orders.get(order.id);
  assert.equal(waiting.status, 'DISPUTED', 'nothing happens before the second approval');
  await agreeOnPhone(environment, susan, id);
  await environment.holdfast.orders.waitFor(order.id, 'CLOSED');
}

async function expectSplit(environment: Environment, sam: Operator, order: Order): Promise<void> {
  const { money, order: closed } = await environment.holdfast.orders.detail(order.id);
  assert.equal(closed.closeReason, 'SPLIT');
  assert.equal(money.refunded, TO_BUYER);
  assert.equal(cents(money.released) + cents(money.fee), cents(TO_SELLER));
  assert.equal(cents(money.released) + cents(money.fee) + cents(money.refunded), cents(AMOUNT));
  assert.equal(money.remainder, '0.00');
  await sam.go(`/orders/${order.id}`);
  await sam.page.getByText(TO_BUYER).first().waitFor();
  await sam.page.getByText(/Closed · Split/i).waitFor();
}

async function decide(sam: Operator, disputeId: string): Promise<void> {
  const { page } = sam;
  await sam.go(`/disputes/${disputeId}`);
  await page.getByText('A string is missing.').first().waitFor();
  await sam.act(sam.button('Assign to me'), 'Assign to me');
  await page.getByText('Under review').first().waitFor();
  const seller = page.getByRole('textbox', { name: /^To seller/ });
  await seller.fill(TO_SELLER);
  await seller.press('Enter');
  const buyer = page.getByRole('textbox', { name: /^To buyer/ });
  await buyer.and(page.locator(`[value="${TO_BUYER}"]`)).waitFor();
  await page.getByText(TO_SELLER).first().waitFor();
  const dialog = await sam.act(sam.button('Resolve dispute…'), 'Resolve and pay out');
  await dialog.getByText('Pending approval').waitFor();
  await sam.button('Close', dialog).last().click();
}

async function agreeOnPhone(
  environment: Environment,
  susan: Operator,
  disputeId: string,
): Promise<void> {
  const { page } = susan;
  await page.setViewportSize(PHONE);
  await susan.go('/approvals');
  const card = page.getByRole('article').filter({ hasText: disputeId });
  await card.getByText(TO_SELLER).first().waitFor();
  await page.screenshot({ path: join(environment.pictures, 'approval-waiting-390-light.png') });
  await susan.act(susan.button('Approve', card), 'Approve and execute');
  await card.waitFor({ state: 'detached' });
  await page.setViewportSize(DESKTOP);
}

function cents(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}
