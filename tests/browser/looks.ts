//! How a page looks: on a desk, in the dark, on a phone; and to whom it would be of no use.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

export const DESKTOP = { width: 1280, height: 860 };
export const PHONE = { width: 390, height: 844 };

export type Look = readonly [viewport: typeof DESKTOP, colorScheme: 'light' | 'dark'];
export const ON_DESK: readonly Look[] = [
  [DESKTOP, 'light'],
  [DESKTOP, 'dark'],
];
export const ON_PHONE: readonly Look[] = [[PHONE, 'light']];
export const EVERYWHERE: readonly Look[] = [...ON_DESK, ...ON_PHONE];

/** Colours fade and charts are drawn anew when the look changes. */
const CHANGE_MS = 350;

/** Nothing, or what sticks out sideways. */
const OUTSIDE = `document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
    .map((one) => one.outerHTML.slice(0, 120))`;

/** What is wrong with the page for people who see, hear or type otherwise than most. */
export async function expectAccessible(
  page: Page,
  schemes: readonly Look[1][] = ['light', 'dark'],
): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.waitForTimeout(CHANGE_MS);
    await page.evaluate(axe.source);
    const found = await page.evaluate<{ id: string; impact: string; nodes: string[] }[]>(
      `axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) =>
        ({ id, impact, nodes: nodes.map(({ html }) => html) })))`,
    );
    const grave = found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    assert.deepEqual(grave, [], `${page.url()} in ${colorScheme}`);
  }
  await backToDesk(page);
}

/** One picture for each look, where there is a folder; nothing may stick out sideways in any. */
export async function photograph(
  page: Page,
  name: string,
  folder: string | undefined,
  looks = EVERYWHERE,
): Promise<void> {
  for (const [viewport, colorScheme] of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    await page.waitForTimeout(CHANGE_MS);
    const outside = await page.evaluate<string[]>(OUTSIDE);
    assert.deepEqual(outside, [], `${name} at ${viewport.width}`);
    if (folder === undefined) continue;
    const path = join(folder, `${name}-${viewport.width}-${colorScheme}.png`);
    await page.screenshot({ path, fullPage: true });
  }
  await backToDesk(page);
}

async function backToDesk(page: Page): Promise<void> {
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
}
