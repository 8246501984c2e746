//! A hash from the ledger network leads to its order, and the order tells its story.
import assert from 'node:assert/strict';
import type { Order } from '@holdfast/sdk';
import type { Operator } from '../operator.ts';
import type { Stage } from '../stage.ts';

const ITEMS_MIN = 6;

export async function findByHash(stage: Stage): Promise<() => Promise<void>> {
  const order = await stage.order('A globe', '120.00');
  const operations = await stage.holdfast.operations.list({ resourceId: order.id }).toArray(10);
  const hash = operations.flatMap(({ steps }) => steps).find((step) => step.hash !== null)?.hash;
  assert.ok(hash, 'the order left a hash on the network');
  const adam = await stage.at('adam');
  return () => play(adam, order, hash);
}

async function play(adam: Operator, order: Order, hash: string): Promise<void> {
  const { page } = adam;
  await adam.go('/');
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('textbox', { name: /^Id, reference, hash/ }).fill(hash);
  await page.getByRole('option').filter({ hasText: hash }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/console/orders/${order.id}*`);
  await page.getByRole('heading', { level: 1, name: order.title }).waitFor();

  const story = page.getByRole('tabpanel', { name: 'Timeline' }).getByRole('listitem');
  await story.nth(ITEMS_MIN - 1).waitFor();
  const lines = await story.allInnerTexts();
  for (const line of lines) {
    assert.doesNotMatch(line, /undefined|\[object|NaN|null/, 'a line that nobody can read');
    assert.match(line, /\d{4}|ago|now/, `${line} says when`);
  }
  const whole = lines.join('\n');
  for (const part of [/created/i, /reserve/i, /escrow/i, /fund/i]) assert.match(whole, part);
  const more = story.getByRole('button', { name: /^Details of/ }).first();
  await more.click();
  assert.equal(await more.getAttribute('aria-expanded'), 'true');
}
