//! An operator at the console: signs in once, opens screens, and acts with a reason.
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import type { LocalOperator } from '../../../apps/cli/src/local-operators.ts';
import { DESKTOP } from '../../harness/browser/appearances.ts';
import { Watch } from '../../harness/browser/watch.ts';
import { freshCode } from '../../harness/two-factor-codes.ts';

/** A scenario has sixty seconds; a step that takes this long has failed. */
export const PATIENCE_MS = 25_000;

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

  /** Opens the sign-in page. */
  static async arrive(browser: Browser, api: string, who: LocalOperator): Promise<Operator> {
    const context = await browser.newContext({ baseURL: api, viewport: DESKTOP });
    context.setDefaultTimeout(PATIENCE_MS);
    return new Operator(who, context, await context.newPage());
  }

  async signIn(code?: string): Promise<void> {
    if (!this.page.url().includes('/console')) await this.page.goto('/console/');
    const { email, password } = this.who;
    await this.page.getByRole('textbox', { name: 'Email' }).fill(email);
    await this.page.getByRole('textbox', { name: 'Password' }).fill(password);
    await this.page
      .getByRole('textbox', { name: 'Two-factor code' })
      .fill(code ?? (await freshCode(this.who)));
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    if (code !== undefined) return;
    await this.page.getByRole('button', { name: /^Signed in as/ }).waitFor();
    // The API returns 401 before sign-in, and browsers log that on the console.
    this.watch.forgive(/status of 401/);
  }

  async go(path: string): Promise<void> {
    await this.page.goto(`/console${path}`);
    await settled(this.page);
  }

  /** Leaves the screen; requests that are still open do not count as errors. */
  async rest(): Promise<void> {
    // If the browser is gone, the next check fails with its own name.
    await this.page.goto('about:blank').catch(() => undefined);
    this.watch.faults();
  }

  button(name: string | RegExp, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name, exact: typeof name === 'string' });
  }

  /** Opens an action, fills in the form with a reason, and confirms; returns the dialog. */
  async act(opener: Locator, confirm: string, fill?: (dialog: Locator) => Promise<void>) {
    await opener.click();
    const dialog = this.page.getByRole('dialog').last();
    await fill?.(dialog);
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Reason given by a console test');
    await dialog.getByRole('button', { name: confirm, exact: true }).click();
    return dialog;
  }

  /** Approves a waiting request as the second approver, who reads this effect first. */
  async approve(resourceId: string, effect?: string): Promise<void> {
    await this.go('/approvals');
    const card = this.page.getByRole('article').filter({ hasText: resourceId });
    if (effect !== undefined) await card.getByText(effect).first().waitFor();
    await this.act(this.button('Approve', card), 'Approve and execute');
    await card.waitFor({ state: 'detached' });
  }

  async fillCode(dialog: Locator): Promise<void> {
    const field = dialog.getByRole('textbox', { name: 'Two-factor code' });
    await field.fill(await freshCode(this.who));
  }

  /** Fails unless the button is off and says why. */
  async expectOff(name: string, why: string): Promise<void> {
    const button = this.button(name);
    await button.and(this.page.locator('[aria-disabled="true"]')).waitFor();
    await button.hover();
    await this.page.getByRole('tooltip', { name: why }).waitFor();
    await this.page.mouse.move(0, 0);
  }

  /** Picks the first marketplace, and a role in it. */
  async chooseRole(form: Locator, role: string): Promise<void> {
    await form.getByRole('combobox', { name: 'Marketplaces' }).click();
    await this.page.getByRole('option').first().click();
    // A multi-select list stays open until another field has the focus.
    await form.getByRole('textbox', { name: 'Reason' }).click();
    await this.choose(form, 'Role in', role);
  }

  /** Picks an option in a select field. */
  async choose(within: Locator, field: string, option: string): Promise<void> {
    await within.getByRole('combobox', { name: field }).click();
    await this.page.getByRole('option', { name: option, exact: true }).click();
  }

  /** Fails if the browser logged an error that no scenario has forgiven. */
  expectQuiet(): void {
    assert.deepEqual(this.watch.faults(), [], `${this.who.email} saw errors`);
  }
}

/** Waits until the screen shows no loading indicator. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const loading = page.getByRole('main').locator('[aria-busy="true"], [aria-label^="Loading"]');
  await loading.first().waitFor({ state: 'hidden' });
}
