//! Measures the CPU time that a browser spends on Home at two hundred events a second.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Holdfast } from '@holdfast/sdk';
import type { CDPSession } from 'playwright-core';
import type { Environment } from '../environment.ts';
import { busyMarketplace } from './busy-marketplace.ts';

const EVENTS_A_SECOND = 200;
const SECONDS = 20;
const CORE_SHARE_MAX = 0.3;
const TICK_MS = 50;

export async function livelyHome(environment: Environment): Promise<() => Promise<void>> {
  const { operator, holdfast } = await busyMarketplace(environment);
  const order = await ordersOf(holdfast);
  const browser = await environment.browser.newBrowserCDPSession();
  return async () => {
    await operator.go('/');
    await operator.page.getByText('Live', { exact: true }).waitFor();
    await sleep(3_000);
    const [cpuBefore, startedAt] = [await cpuSeconds(browser), performance.now()];
    const created = await createEvents(order);
    const seconds = (performance.now() - startedAt) / 1000;
    const share = ((await cpuSeconds(browser)) - cpuBefore) / seconds;
    const rate = created / seconds;
    process.stdout.write(
      `          ${rate.toFixed(0)} events a second, ${(share * 100).toFixed(0)} % of a core\n`,
    );
    assert.ok(rate >= EVENTS_A_SECOND * 0.9, `only ${rate} events a second were emitted`);
    assert.ok(share < CORE_SHARE_MAX, `${share} of a core`);
    operator.expectQuiet();
  };
}

/** CPU seconds so far of all browser processes: pages, browser and GPU. */
async function cpuSeconds(browser: CDPSession): Promise<number> {
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** Each created order emits an event that Home shows. */
async function ordersOf(holdfast: Holdfast): Promise<() => Promise<unknown>> {
  const person = (role: string) =>
    holdfast.users.create({ externalUserId: `lively-${role}`, email: `${role}@example.com` });
  const [buyer, seller] = [await person('buyer'), await person('seller')];
  const input = { buyerId: buyer.id, sellerId: seller.id, amount: '10.00', title: 'One of many' };
  return () => holdfast.orders.create(input);
}

async function createEvents(order: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  const making: Promise<Error | undefined>[] = [];
  const one = () =>
    order().then(
      () => undefined,
      (error: Error) => error,
    );
  for (let passed = 0; passed < SECONDS * 1000; passed = performance.now() - startedAt) {
    const due = Math.floor((passed / 1000) * EVENTS_A_SECOND);
    while (making.length < due) making.push(one());
    await sleep(TICK_MS);
  }
  const failed = (await Promise.all(making)).find((error) => error !== undefined);
  if (failed !== undefined) throw failed;
  return making.length;
}
