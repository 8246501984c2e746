//! Notices what a person would not: errors on the console of a browser, and all that it was sent.
import type { Page } from 'playwright-core';

export class Watch {
  readonly #faults: string[] = [];
  readonly #texts: Promise<string>[] = [];

  over(page: Page): void {
    page.on('console', (message) => {
      if (message.type() !== 'error') return;
      this.#faults.push(`${page.url()}: ${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => this.#faults.push(`${page.url()}: ${error.message}`));
    page.on('response', (response) => {
      const type = response.headers()['content-type'] ?? '';
      if (/html|javascript/.test(type)) this.#texts.push(response.text().catch(() => ''));
    });
  }

  /** What was meant to happen: browsers write every answer that is a no on the console. */
  forgive(fault: RegExp): void {
    const others = this.#faults.filter((one) => !fault.test(one));
    this.#faults.splice(0, Number.POSITIVE_INFINITY, ...others);
  }

  /** What has gone wrong since the last time somebody asked. */
  faults(): string[] {
    return this.#faults.splice(0);
  }

  /** Every page and script that came. */
  texts(): Promise<string[]> {
    return Promise.all(this.#texts);
  }
}
