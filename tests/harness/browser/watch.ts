//! Records the errors on a browser's console, and every page and script that it received.
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

  /** Drops expected errors: browsers log every 4xx and 5xx response on the console. */
  forgive(fault: RegExp): void {
    const others = this.#faults.filter((one) => !fault.test(one));
    this.#faults.splice(0, Number.POSITIVE_INFINITY, ...others);
  }

  /** The errors since the last call. */
  faults(): string[] {
    return this.#faults.splice(0);
  }

  /** Every page and script that the browser received. */
  texts(): Promise<string[]> {
    return Promise.all(this.#texts);
  }
}
