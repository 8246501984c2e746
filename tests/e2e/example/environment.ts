//! The environment of the example's scenarios: a set, the shop, a browser and visitors.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Holdfast } from '@holdfast/sdk';
import type { Browser } from 'playwright-core';
import type { LocalSet } from '../../../apps/cli/src/local-set.ts';
import { createTemporaryFolder } from '../../../apps/cli/src/temporary-folder.ts';
import { openChromium } from '../../harness/browser/chromium.ts';
import { type Environment as OpenEnvironment, openEnvironment } from '../../harness/set.ts';
import { type ShopProcess, startShop } from './shop-process.ts';
import { becomes, Visitor } from './visitor.ts';

/**
 * `EXAMPLE_SCREENSHOTS=folder npx vitest run tests/e2e/example` writes screenshots there, and
 * checks the pages in dark mode too.
 */
const { EXAMPLE_SCREENSHOTS: pictures } = process.env;

interface ShopParts {
  readonly folder: string;
  readonly browser: Browser;
  /** A restart may have replaced it since. */
  readonly first: ShopProcess;
}

export class Environment {
  readonly set: LocalSet;
  readonly browser: Browser;
  readonly holdfast: Holdfast;
  readonly folder: string;
  readonly pictures = pictures;
  shop: ShopProcess;
  readonly #visitors: Visitor[] = [];

  readonly close: () => Promise<void>;

  private constructor(opened: OpenEnvironment<ShopParts>) {
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

  static async open(): Promise<Environment> {
    // The test does in one minute the work of ten, so the limit is higher than usual.
    const env = { HOLDFAST_RATE_LIMIT: '1000' };
    const opened = await openEnvironment({ env }, async ({ set }, cleanup) => {
      const { path: folder } = cleanup.use(createTemporaryFolder('holdfast-example'));
      const browser = await openChromium();
      cleanup.defer(() => browser.close());
      const first = await startShop({ ready: set.ready, data: join(folder, 'data') });
      return { folder, browser, first };
    });
    return new Environment(opened);
  }

  async visit(name: string): Promise<Visitor> {
    const visitor = await Visitor.open(this.browser, this.shop.url);
    this.#visitors.push(visitor);
    await visitor.signIn(name);
    return visitor;
  }

  /** Fails if a browser logged an error or received the API key. */
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

  /** Kills the shop without warning, and starts it again at the same address with the same data. */
  async killShop(): Promise<void> {
    await this.shop.kill('SIGKILL');
    const port = Number(new URL(this.shop.url).port);
    const { ready } = this.set;
    this.shop = await startShop({ ready, data: join(this.folder, 'data'), port });
  }
}
