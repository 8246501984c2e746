//! An operator in front of the console: signs in once, goes to screens, and acts with a reason.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { LocalOperator } from '../../apps/cli/src/local-operators.ts';
import { totpCode } from '../../apps/server/src/operators/totp.ts';
import { unbase32 } from '../../apps/server/src/testing/operators.ts';
import { DESKTOP } from '../browser/looks.ts';
import { Watch } from '../browser/watch.ts';

/** A story has sixty seconds: what takes this long has failed. */
export const PATIENCE_MS = 25_000;
const CODE_MS = 30_000;
/** A code that ends while it is typed is taken too, but a test need not rely on it. */
const CODE_LEFT_MS = 2_000;

export class Operator {
  readonly who: LocalOperator;
  readonly page: Page;
  readonly context: BrowserContext;
  readonly watch = new Watch();

  private constructor(who: LocalOperator, context: BrowserContext, page: Page) {
    this.who = who;
    this.context = context;
    this.page = page;
    this.watch.over(page);
  }

  /** In front of the door. */
  static async arrive(browser: Browser, api: string, who: LocalOperator): Promise<Operator> {
    const context = await browser.newContext({ baseURL: api, viewport: DESKTOP });
    context.setDefaultTimeout(PATIENCE_MS);
    return new Operator(who, context, await context.newPage());
  }

  async signIn(code?: string): Promise<void> {
    if (!this.page.url().includes('/console')) await this.page.goto('/console/');
    const { email, password } = this.who;
    await this.page.getByRole('textbox', { name: 'E-mail' }).fill(email);
    await this.page.getByRole('textbox', { name: 'Password' }).fill(password);
    await this.page
      .getByRole('textbox', { name: 'Code' })
      .fill(code ?? (await codeOfNow(this.who)));
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    if (code !== undefined) return;
    await this.page.getByRole('button', { name: /^Signed in as/ }).waitFor();
    // Whoever has not signed in is told so, and browsers write that down.
    this.watch.forgive(/status of 401/);
  }

  async go(path: string): Promise<void> {
    await this.page.goto(`/console${path}`);
    await settled(this.page);
  }

  /** Looks away; what was asked for and not answered is no fault. */
  async rest(): Promise<void> {
    // A browser that is gone fails the next check, with its name.
    await this.page.goto('about:blank').catch(() => undefined);
    this.watch.faults();
  }

  button(name: string | RegExp, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name, exact: typeof name === 'string' });
  }

  /** Opens an action, fills it in, says why, and does it; gives the dialog. */
  async act(opener: Locator, confirm: string, fill?: (dialog: Locator) => Promise<void>) {
    await opener.click();
    const dialog = this.page.getByRole('dialog').last();
    await fill?.(dialog);
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Told by a test of the console');
    await dialog.getByRole('button', { name: confirm, exact: true }).click();
    return dialog;
  }

  /** Chooses in a field that opens a list. */
  async choose(within: Locator, field: string, option: string): Promise<void> {
    await within.getByRole('combobox', { name: field }).click();
    await this.page.getByRole('option', { name: option, exact: true }).click();
  }

  /** Nothing went wrong in the browser, beyond what a story has forgiven. */
  expectQuiet(): void {
    assert.deepEqual(this.watch.faults(), [], `${this.who.email} saw errors`);
  }
}

/** A code is taken once, and only while it is shown. */
async function codeOfNow({ totpSecret }: LocalOperator): Promise<string> {
  const left = CODE_MS - (Date.now() % CODE_MS);
  if (left < CODE_LEFT_MS) await sleep(left);
  return totpCode(unbase32(totpSecret), Date.now());
}

/** The screen stands: nothing says that it is loading. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const loading = page.getByRole('main').locator('[aria-busy="true"], [aria-label^="Loading"]');
  await loading.first().waitFor({ state: 'hidden' });
}
