//! Home with two hundred events a second: what the browser spends on it.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Holdfast } from '@holdfast/sdk';
import type { CDPSession } from 'playwright-core';
import type { Stage } from '../stage.ts';
import { busyMarketplace } from './busy-marketplace.ts';

const EVENTS_A_SECOND = 200;
const SECONDS = 20;
const CORE_SHARE_MAX = 0.3;
const TICK_MS = 50;

export async function livelyHome(stage: Stage): Promise<() => Promise<void>> {
  const { operator, holdfast } = await busyMarketplace(stage);
  const order = await ordersOf(holdfast);
  const browser = await stage.browser.newBrowserCDPSession();
  return async () => {
    await operator.go('/');
    await operator.page.getByText('Live', { exact: true }).waitFor();
    await sleep(3_000);
    const [cpuBefore, begunAt] = [await cpuSeconds(browser), performance.now()];
    const made = await makeEvents(order);
    const seconds = (performance.now() - begunAt) / 1000;
    const share = ((await cpuSeconds(browser)) - cpuBefore) / seconds;
    const rate = made / seconds;
    process.stdout.write(
      `          ${rate.toFixed(0)} events a second, ${(share * 100).toFixed(0)} % of a core\n`,
    );
    assert.ok(rate >= EVENTS_A_SECOND * 0.9, `only ${rate} events a second were made`);
    assert.ok(share < CORE_SHARE_MAX, `${share} of a core`);
    operator.expectQuiet();
  };
}

/** Everything that the browser has spent so far: its pages, itself, and what draws. */
async function cpuSeconds(browser: CDPSession): Promise<number> {
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** Each order that is made is an event that Home is about. */
async function ordersOf(holdfast: Holdfast): Promise<() => Promise<unknown>> {
  const person = (role: string) =>
    holdfast.users.create({ externalUserId: `lively-${role}`, email: `${role}@example.com` });
  const [buyer, seller] = [await person('buyer'), await person('seller')];
  const wish = { buyerId: buyer.id, sellerId: seller.id, amount: '10.00', title: 'One of many' };
  return () => holdfast.orders.create(wish);
}

async function makeEvents(order: () => Promise<unknown>): Promise<number> {
  const begunAt = performance.now();
  const making: Promise<Error | undefined>[] = [];
  const one = () =>
    order().then(
      () => undefined,
      (error: Error) => error,
    );
  for (let passed = 0; passed < SECONDS * 1000; passed = performance.now() - begunAt) {
    const due = Math.floor((passed / 1000) * EVENTS_A_SECOND);
    while (making.length < due) making.push(one());
    await sleep(TICK_MS);
  }
  const failed = (await Promise.all(making)).find((error) => error !== undefined);
  if (failed !== undefined) throw failed;
  return making.length;
}
