//! Checks and photographs a page on a desktop, in dark mode and on a phone, and its accessibility.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Page } from 'playwright-core';

export const DESKTOP = { width: 1280, height: 860 };
export const PHONE = { width: 390, height: 844 };

export type Appearance = readonly [viewport: typeof DESKTOP, colorScheme: 'light' | 'dark'];
export const ON_DESK: readonly Appearance[] = [
  [DESKTOP, 'light'],
  [DESKTOP, 'dark'],
];
export const ON_PHONE: readonly Appearance[] = [[PHONE, 'light']];
export const EVERYWHERE: readonly Appearance[] = [...ON_DESK, ...ON_PHONE];

/** Colours fade and charts redraw when the appearance changes. */
const CHANGE_MS = 350;

/** The elements that overflow the page sideways. */
const OVERFLOWING = `document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll('body *')]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
    .map((one) => one.outerHTML.slice(0, 120))`;

/** Fails if axe finds a serious or critical accessibility violation. */
export async function expectAccessible(
  page: Page,
  schemes: readonly Appearance[1][] = ['light', 'dark'],
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

/**
 * Writes one screenshot per appearance if a folder is given; fails if anything overflows sideways.
 */
export async function photograph(
  page: Page,
  name: string,
  folder: string | undefined,
  appearances = EVERYWHERE,
): Promise<void> {
  for (const [viewport, colorScheme] of appearances) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    await page.waitForTimeout(CHANGE_MS);
    const overflowing = await page.evaluate<string[]>(OVERFLOWING);
    assert.deepEqual(overflowing, [], `${name} at ${viewport.width}`);
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
