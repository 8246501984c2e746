//! Typed text stays with its record and in its field.
import assert from 'node:assert/strict';
import type { Environment } from './environment.ts';
import type { Operator } from './operator.ts';

/** Longer than a filter waits before its request. */
const PAUSE_MS = 600;

/** Both disputes were open before, so the cached copies are shown at once. */
export async function draftStays(environment: Environment): Promise<() => Promise<void>> {
  const [one, other] = await Promise.all([disputed(environment), disputed(environment)]);
  const sam = await environment.at('sam');
  const { page } = sam;
  const note = page.getByRole('textbox', { name: 'New note' });
  return async () => {
    await sam.go(`/disputes/${one}`);
    await find(sam, other);
    await find(sam, one);
    await note.fill('Only about the first');
    await find(sam, other);
    assert.equal(await note.inputValue(), '', 'a draft does not move to another dispute');
    await note.fill('Only about the second');
    await page.goBack();
    await page.waitForURL(`**/disputes/${one}*`);
    await page.getByRole('main').getByText(one).first().waitFor();
    assert.equal(await note.inputValue(), '', 'a draft does not move on a step back');
  };
}

async function disputed(environment: Environment): Promise<string> {
  const order = await environment.order('A lute', '40.00');
  const claim = { openedBy: 'BUYER', reason: 'OTHER' } as const;
  return (await environment.holdfast.orders.openDispute(order.id, claim)).id;
}

/** Long enough that a dialog which did not wait would open before the preview. */
const SLOW_PREVIEW_MS = 1_500;

/** The dialog opens on the first click, and only with the preview of the typed amounts. */
export async function clickAfterAmount(environment: Environment): Promise<() => Promise<void>> {
  const id = await disputed(environment);
  const sam = await environment.at('sam');
  await environment.holdfast.disputes.assign(id, { assignedTo: sam.who.email });
  const { page } = sam;
  const previews = '**/disputes/*/resolve/preview';
  return async () => {
    await sam.go(`/disputes/${id}`);
    const dialog = page.getByRole('dialog');
    for (const [toSeller, toBuyer] of [
      ['30.10', '9.90'],
      ['12.25', '27.75'],
    ] as const) {
      await page.getByRole('textbox', { name: /^To seller/ }).fill(toSeller);
      await sam.button('Resolve dispute…').click();
      await dialog.getByText(`${toBuyer} USD`).waitFor();
      const text = (await dialog.textContent()) ?? '';
      assert.ok(text.includes(`${toSeller} USD`), `the dialog shows other amounts: ${text}`);
      await sam.button('Back', dialog).click();
      await dialog.waitFor({ state: 'detached' });
      await page.route(previews, async (route) => {
        await page.waitForTimeout(SLOW_PREVIEW_MS);
        await route.continue();
      });
    }
    await page.unroute(previews);
  };
}

/** As people do: opens the search, pastes, and presses Enter before results appear. */
async function find({ page }: Operator, id: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('textbox', { name: /^ID, reference, transaction hash/ }).fill(id);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/console/disputes/${id}*`);
  await page.getByRole('main').getByText(id).first().waitFor();
  await page.getByRole('textbox', { name: 'New note' }).waitFor();
}

export async function slowFilter(environment: Environment): Promise<void> {
  const adam = await environment.at('adam');
  const { page } = adam;
  await adam.go('/orders');
  const field = page.getByRole('textbox', { name: 'Reference' });
  await field.click();
  // Outside a field, the keys g and o open another screen.
  for (const [index, letter] of ['g', 'o', 'd'].entries()) {
    await page.keyboard.press(letter);
    await page.waitForURL(`**/orders?clientOrderRef=${'god'.slice(0, index + 1)}*`);
    await page.waitForTimeout(PAUSE_MS);
  }
  assert.equal(await field.inputValue(), 'god', 'the field keeps the focus');
  await saveView(adam, 'Tests');
  await field.fill('something else');
  await page.waitForURL(/clientOrderRef=something/);
  await adam.button('Saved views').click();
  await adam.button('Tests').click();
  await page.waitForURL('**/orders?clientOrderRef=god*');
  assert.equal(await field.inputValue(), 'god', 'the field shows the filter of the view');
  await adam.button('Clear filters').click();
  await page.waitForURL((url) => !url.search.includes('clientOrderRef'));
  assert.equal(await field.inputValue(), '', 'the field is empty once it is cleared');
}

async function saveView({ page }: Operator, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Saved views', exact: true }).click();
  const field = page.getByRole('textbox', { name: 'View name' });
  await field.fill(name);
  await field.press('Enter');
  await page.keyboard.press('Escape');
}
