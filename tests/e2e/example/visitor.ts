//! A person at a browser: signs in, reads, clicks, and reports page errors.
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import {
  DESKTOP,
  EVERYWHERE,
  expectAccessible,
  ON_PHONE,
  photograph,
} from '../../harness/browser/appearances.ts';
import { Watch } from '../../harness/browser/watch.ts';

/** Allows for a loaded machine, not for a slow shop. */
export const PATIENCE_MS = 45_000;

export class Visitor {
  readonly page: Page;
  readonly #context: BrowserContext;
  readonly #watch = new Watch();

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.page = page;
    this.#watch.over(page);
  }

  static async open(browser: Browser, url: string): Promise<Visitor> {
    const context = await browser.newContext({ baseURL: url, viewport: DESKTOP });
    context.setDefaultTimeout(PATIENCE_MS);
    return new Visitor(context, await context.newPage());
  }

  async signIn(name: string): Promise<void> {
    await this.page.goto('/sign-in');
    await this.page.getByRole('button', { name: new RegExp(`^${name}\\b`) }).click();
    await this.page.getByRole('link', { name: new RegExp(`Signed in as ${name}`) }).waitFor();
  }

  /** Another page in the same signed-in session. */
  async beside(path: string): Promise<Page> {
    const page = await this.#context.newPage();
    this.#watch.over(page);
    await page.goto(path);
    return page;
  }

  /** Sends requests of this person that no page would send. */
  get request(): BrowserContext['request'] {
    return this.#context.request;
  }

  /** Checks the page in light mode; in dark mode and with screenshots too if a folder is given. */
  async checkPage(name: string, pictures: string | undefined): Promise<void> {
    const hasPictures = pictures !== undefined;
    await photograph(this.page, name, pictures, hasPictures ? EVERYWHERE : ON_PHONE);
    await expectAccessible(this.page, hasPictures ? ['light', 'dark'] : ['light']);
  }

  /** Drops errors that the scenario expects. */
  forgive(fault: RegExp): void {
    this.#watch.forgive(fault);
  }

  async close(secret: string): Promise<void> {
    const texts = await this.#watch.texts();
    await this.#context.close();
    expect(this.#watch.faults()).toEqual([]);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  }
}

/** Waits for the text without a reload, so the mark of `markPage` is still there. */
export async function becomes(locator: Locator, text: string | RegExp): Promise<void> {
  await locator.filter({ hasText: text }).first().waitFor({ timeout: PATIENCE_MS });
}

export function markPage(page: Page): Promise<unknown> {
  return page.evaluate('globalThis.wasHereBefore = true');
}

export function isMarked(page: Page): Promise<boolean> {
  return page.evaluate('globalThis.wasHereBefore === true');
}
