//! A search for a transaction hash finds its order, and the order shows its timeline.
import assert from 'node:assert/strict';
import type { Order } from '@holdfast/sdk';
import type { Environment } from '../environment.ts';
import type { Operator } from '../operator.ts';

const ITEMS_MIN = 6;

export async function findByHash(environment: Environment): Promise<() => Promise<void>> {
  const order = await environment.order('A globe', '120.00');
  const operations = await environment.holdfast.operations
    .list({ resourceId: order.id })
    .toArray(10);
  const hash = operations.flatMap(({ steps }) => steps).find((step) => step.hash !== null)?.hash;
  assert.ok(hash, 'the order has no network transaction');
  const adam = await environment.at('adam');
  return () => run(adam, order, hash);
}

async function run(adam: Operator, order: Order, hash: string): Promise<void> {
  const { page } = adam;
  await adam.go('/');
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('textbox', { name: /^ID, reference, transaction hash/ }).fill(hash);
  await page.getByRole('option').filter({ hasText: hash }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/console/orders/${order.id}*`);
  await page.getByRole('heading', { level: 1, name: order.title }).waitFor();

  const timeline = page.getByRole('tabpanel', { name: 'Timeline' }).getByRole('listitem');
  await timeline.nth(ITEMS_MIN - 1).waitFor();
  const lines = await timeline.allInnerTexts();
  for (const line of lines) {
    assert.doesNotMatch(line, /undefined|\[object|NaN|null/, 'a line shows a raw value');
    assert.match(line, /\d{4}|ago|now/, `${line} shows no time`);
  }
  const whole = lines.join('\n');
  for (const part of [/created/i, /reserve/i, /escrow/i, /fund/i]) assert.match(whole, part);
  const more = timeline.getByRole('button', { name: /^Details of/ }).first();
  await more.click();
  assert.equal(await more.getAttribute('aria-expanded'), 'true');
}
