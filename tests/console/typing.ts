//! What somebody types stays where they type it: with its record, and in its field.
import assert from 'node:assert/strict';
import type { Operator } from './operator.ts';
import type { Stage } from './stage.ts';

/** Longer than a filter waits before it asks. */
const PAUSE_MS = 600;

/** Both disputes have been looked at before: what is kept of them is shown at once. */
export async function draftStays(stage: Stage): Promise<() => Promise<void>> {
  const [one, other] = await Promise.all([disputed(stage), disputed(stage)]);
  const sam = await stage.at('sam');
  const { page } = sam;
  const note = page.getByRole('textbox', { name: 'New note' });
  return async () => {
    await sam.go(`/disputes/${one}`);
    await find(sam, other);
    await find(sam, one);
    await note.fill('Only about the first');
    await find(sam, other);
    assert.equal(await note.inputValue(), '', 'a draft goes to no other dispute');
    await note.fill('Only about the second');
    await page.goBack();
    await page.waitForURL(`**/disputes/${one}*`);
    await page.getByRole('main').getByText(one).first().waitFor();
    assert.equal(await note.inputValue(), '', 'nor by a step back');
  };
}

async function disputed(stage: Stage): Promise<string> {
  const order = await stage.order('A lute', '40.00');
  const claim = { openedBy: 'BUYER', reason: 'OTHER' } as const;
  return (await stage.holdfast.orders.openDispute(order.id, claim)).id;
}

/** As people do: the search, a paste, and Enter before anything was found. */
async function find({ page }: Operator, id: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('textbox', { name: /^Id, reference, hash/ }).fill(id);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/console/disputes/${id}*`);
  await page.getByRole('main').getByText(id).first().waitFor();
  await page.getByRole('textbox', { name: 'New note' }).waitFor();
}

export async function slowFilter(stage: Stage): Promise<void> {
  const adam = await stage.at('adam');
  const { page } = adam;
  await adam.go('/orders');
  const field = page.getByRole('textbox', { name: 'Reference' });
  await field.click();
  // Outside of a field, g and o would lead to another screen.
  for (const [index, letter] of ['g', 'o', 'd'].entries()) {
    await page.keyboard.press(letter);
    await page.waitForURL(`**/orders?clientOrderRef=${'god'.slice(0, index + 1)}*`);
    await page.waitForTimeout(PAUSE_MS);
  }
  assert.equal(await field.inputValue(), 'god', 'the field keeps the keyboard');
  await saveView(adam, 'Tests');
  await field.fill('something else');
  await page.waitForURL(/clientOrderRef=something/);
  await adam.button('Views').click();
  await adam.button('Tests').click();
  await page.waitForURL('**/orders?clientOrderRef=god*');
  assert.equal(await field.inputValue(), 'god', 'the field shows what the view filters by');
  await adam.button('Clear').click();
  await page.waitForURL((url) => !url.search.includes('clientOrderRef'));
  assert.equal(await field.inputValue(), '', 'and nothing once it is cleared');
}

async function saveView({ page }: Operator, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  const field = page.getByRole('textbox', { name: 'Name of the view' });
  await field.fill(name);
  await field.press('Enter');
  await page.keyboard.press('Escape');
}
