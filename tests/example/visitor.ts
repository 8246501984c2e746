//! A person in front of a browser: signs in, looks, clicks, and notices what is wrong.
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** A hint of how loaded the machine may be, not of how slow the shop is. */
export const PATIENCE_MS = 45_000;

const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 844 };
const LOOKS = [
  [DESKTOP, 'light'],
  [PHONE, 'light'],
  [DESKTOP, 'dark'],
] as const;

export class Visitor {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #faults: string[] = [];
  readonly #seen: Promise<string>[] = [];

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.page = page;
    this.#watch(page);
  }

  static async open(browser: Browser, url: string): Promise<Visitor> {
    const context = await browser.newContext({ baseURL: url, viewport: DESKTOP });
    context.setDefaultTimeout(PATIENCE_MS);
    return new Visitor(context, await context.newPage());
  }

  #watch(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error') this.#faults.push(`${page.url()}: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.#faults.push(`${page.url()}: ${error.message}`));
    page.on('response', (response) => {
      const type = response.headers()['content-type'] ?? '';
      if (/html|javascript/.test(type)) this.#seen.push(response.text().catch(() => ''));
    });
  }

  async signIn(name: string): Promise<void> {
    await this.page.goto('/sign-in');
    await this.page.getByRole('button', { name: new RegExp(`^${name}\\b`) }).click();
    await this.page.getByRole('link', { name: new RegExp(`Signed in as ${name}`) }).waitFor();
  }

  /** Another page of the same person, signed in alike. */
  async beside(path: string): Promise<Page> {
    const page = await this.#context.newPage();
    this.#watch(page);
    await page.goto(path);
    return page;
  }

  /** A request of this person's that no page would send. */
  get request(): BrowserContext['request'] {
    return this.#context.request;
  }

  /** What is wrong with the page for people who see, hear or type otherwise than most. */
  async expectAccessible(page = this.page): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate(axe.source);
      const found = await page.evaluate<{ id: string; impact: string; nodes: string[] }[]>(
        `axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) =>
          ({ id, impact, nodes: nodes.map(({ html }) => html) })))`,
      );
      const grave = found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect(grave, `${page.url()} in ${colorScheme}`).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
  }

  /** On a desk and on a phone, where nothing may stick out sideways, and in the dark. */
  async photograph(name: string, folder: string, page = this.page): Promise<void> {
    for (const [viewport, colorScheme] of LOOKS) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize(viewport);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width, `${name} at ${viewport.width}`).toBeLessThanOrEqual(viewport.width);
      const path = join(folder, `${name}-${viewport.width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
    }
    await page.setViewportSize(DESKTOP);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: null });
  }

  /** What the visitor was meant to see: browsers write every answer that is a no on the console. */
  forgive(fault: RegExp): void {
    const others = this.#faults.filter((one) => !fault.test(one));
    this.#faults.splice(0, Number.POSITIVE_INFINITY, ...others);
  }

  async close(secret: string): Promise<void> {
    const texts = await Promise.all(this.#seen);
    await this.#context.close();
    expect(this.#faults).toEqual([]);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  }
}

/** Becomes so by itself, without a reload: the mark of `markPage` is still there. */
export async function becomes(locator: Locator, text: string | RegExp): Promise<void> {
  await locator.filter({ hasText: text }).first().waitFor({ timeout: PATIENCE_MS });
}

export function markPage(page: Page): Promise<unknown> {
  return page.evaluate('globalThis.wasHereBefore = true');
}

export function isMarked(page: Page): Promise<boolean> {
  return page.evaluate('globalThis.wasHereBefore === true');
}
