//! Scrolls and filters a table of a hundred thousand orders, and measures the longest stall.
import assert from 'node:assert/strict';
import type { Environment } from '../environment.ts';
import type { Operator } from '../operator.ts';
import { busyMarketplace } from './busy-marketplace.ts';

/** A longer stall is noticeable. */
const STALL_MS_MAX = 200;
const FILTER_MS_MAX = 2_000;
const SCROLLS = 60;

const WATCH_STALLS = `globalThis.stalls = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.stalls.push(duration);
  }).observe({ type: 'longtask' });`;

export async function longTable(environment: Environment): Promise<() => Promise<void>> {
  const { operator } = await busyMarketplace(environment);
  return async () => {
    await operator.go('/orders');
    await operator.page.getByText('100 rows loaded.').waitFor();
    await operator.page.evaluate(WATCH_STALLS);
    await scroll(operator);
    const seen = await operator.page.getByRole('row').count();
    assert.ok(seen < 100, `${seen} rows are in the page at once`);
    const loaded = await operator.page.getByText('100 rows loaded.').count();
    assert.equal(loaded, 0, 'the table loads further pages');
    const filtered = await filter(operator, 'Disputed');
    const stalls = await operator.page.evaluate<number[]>('globalThis.stalls');
    const longest = Math.max(0, ...stalls);
    process.stdout.write(
      `          longest stall ${longest.toFixed(0)} ms, filtered in ${filtered.toFixed(0)} ms\n`,
    );
    assert.ok(longest <= STALL_MS_MAX, `the page stalled for ${longest} ms`);
    assert.ok(filtered <= FILTER_MS_MAX, `filtered in ${filtered} ms`);
    operator.expectQuiet();
  };
}

async function scroll({ page }: Operator): Promise<void> {
  await page.getByRole('row').nth(5).hover();
  for (let at = 0; at < SCROLLS; at += 1) {
    await page.mouse.wheel(0, 1500);
    await page.waitForTimeout(50);
  }
}

async function filter({ page }: Operator, state: string): Promise<number> {
  await page.getByRole('combobox', { name: 'Status' }).click();
  const startedAt = performance.now();
  await page.getByRole('option', { name: state, exact: true }).click();
  await page.getByRole('row').nth(1).getByText(state, { exact: true }).waitFor();
  return performance.now() - startedAt;
}
