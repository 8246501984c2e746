//! Everything that the stories of the example need: a set, the shop, a browser, and visitors.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Holdfast } from '@holdfast/sdk';
import type { Browser } from 'playwright-core';
import type { LocalSet } from '../../apps/cli/src/local-set.ts';
import { openChromium } from '../browser/chromium.ts';
import { type Stage as OpenStage, openStage } from '../harness/set.ts';
import { type ShopProcess, startShop } from './shop-process.ts';
import { becomes, Visitor } from './visitor.ts';

/**
 * `EXAMPLE_SCREENSHOTS=folder npx vitest run tests/example` leaves screenshots there, and looks at
 * the pages by night too.
 */
const { EXAMPLE_SCREENSHOTS: pictures } = process.env;

interface Parts {
  readonly folder: string;
  readonly browser: Browser;
  /** It may have been replaced since. */
  readonly first: ShopProcess;
}

export class Stage {
  readonly set: LocalSet;
  readonly browser: Browser;
  readonly holdfast: Holdfast;
  readonly folder: string;
  readonly pictures = pictures;
  shop: ShopProcess;
  readonly #visitors: Visitor[] = [];

  readonly close: () => Promise<void>;

  private constructor(opened: OpenStage<Parts>) {
    const { set, browser, folder, first } = opened;
    this.set = set;
    this.browser = browser;
    this.shop = first;
    this.folder = folder;
    this.close = async () => {
      await this.shop.kill('SIGTERM');
      await opened.stop();
    };
    if (pictures !== undefined) mkdirSync(pictures, { recursive: true });
    this.holdfast = new Holdfast({ baseUrl: set.ready.api, apiKey: set.ready.apiKey });
  }

  static async open(): Promise<Stage> {
    // People are slow and the test is not: it does in a minute what they do in ten.
    const env = { HOLDFAST_RATE_LIMIT: '1000' };
    const opened = await openStage({ env }, async ({ set }, begun) => {
      const folder = mkdtempSync(join(tmpdir(), 'holdfast-example-'));
      begun.defer(async () => rmSync(folder, { recursive: true }));
      const browser = await openChromium();
      begun.defer(() => browser.close());
      const first = await startShop({ ready: set.ready, data: join(folder, 'data') });
      return { folder, browser, first };
    });
    return new Stage(opened);
  }

  async visit(name: string): Promise<Visitor> {
    const visitor = await Visitor.open(this.browser, this.shop.url);
    this.#visitors.push(visitor);
    await visitor.signIn(name);
    return visitor;
  }

  /** Nobody saw an error in the console, and the key was in nothing that a browser got. */
  async allLeave(): Promise<void> {
    for (const visitor of this.#visitors.splice(0)) await visitor.close(this.set.ready.apiKey);
  }

  async buy({ page }: Visitor, title: string): Promise<void> {
    await page.goto('/');
    await page.getByRole('link', { name: new RegExp(title) }).click();
    await page.getByRole('button', { name: /^Buy for/ }).click();
    await page.waitForURL('**/orders/*');
    await becomes(page.locator('#badge'), 'In progress');
  }

  /** Without a warning, and then again at the same address with the same data. */
  async killShop(): Promise<void> {
    await this.shop.kill('SIGKILL');
    const port = Number(new URL(this.shop.url).port);
    const { ready } = this.set;
    this.shop = await startShop({ ready, data: join(this.folder, 'data'), port });
  }
}
