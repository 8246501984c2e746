//! A person in front of a browser: signs in, looks, clicks, and notices what is wrong.
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { DESKTOP, EVERYWHERE, expectAccessible, ON_PHONE, photograph } from '../browser/looks.ts';
import { Watch } from '../browser/watch.ts';

/** A hint of how loaded the machine may be, not of how slow the shop is. */
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

  /** Another page of the same person, signed in alike. */
  async beside(path: string): Promise<Page> {
    const page = await this.#context.newPage();
    this.#watch.over(page);
    await page.goto(path);
    return page;
  }

  /** A request of this person's that no page would send. */
  get request(): BrowserContext['request'] {
    return this.#context.request;
  }

  /** By day; by night and in pictures too where somebody wants to see them. */
  async look(name: string, pictures: string | undefined): Promise<void> {
    const isKept = pictures !== undefined;
    await photograph(this.page, name, pictures, isKept ? EVERYWHERE : ON_PHONE);
    await expectAccessible(this.page, isKept ? ['light', 'dark'] : ['light']);
  }

  /** What the visitor was meant to see. */
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
