//! The example marketplace, used in browsers on desktop and phone: one scenario with live updates.
import { join } from 'node:path';
import { exampleEvent, exampleSecret, signWebhook, World } from '@holdfast/sdk/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../../tools/installed.ts';
import { Environment } from './environment.ts';
import { startShop } from './shop-process.ts';
import { becomes, isMarked, markPage, Visitor } from './visitor.ts';

/** Contributors without a browser may skip these tests; CI may not. */
const isLeftOut = findChromium() === undefined && process.env['CI'] === undefined;
if (isLeftOut) process.stderr.write('Chromium is not installed: tests/e2e/example is skipped\n');

const SCENARIO_MS = 180_000;

// One scenario: each test continues with the money and the orders of those before.
const SCENARIO = { timeout: SCENARIO_MS, shuffle: false };

describe.skipIf(isLeftOut)('the example marketplace', SCENARIO, () => {
  let environment: Environment;
  let pictures: string | undefined;

  beforeAll(async () => {
    environment = await Environment.open();
    pictures = environment.pictures;
  }, SCENARIO_MS);
  afterAll(() => environment?.close());

  it('sells an item, and shows the money to the seller without a reload', async () => {
    const [ada, bo] = [await environment.visit('Ada'), await environment.visit('Bo')];
    const purse = await bo.beside('/balance');
    await markPage(purse);
    await markPage(bo.page);
    await ada.checkPage('browse', pictures);
    await ada.page.goto('/items/oak-board');
    await ada.checkPage('item', pictures);
    await environment.buy(ada, 'Oak serving board');
    await becomes(ada.page.locator('#purse'), '$452.00');

    // Bo's list of sales is open all the time.
    await becomes(bo.page.locator('#orders'), /Oak serving board.*Ada.*In progress/s);
    expect(await isMarked(bo.page)).toBe(true);
    await bo.page.getByRole('link', { name: /Oak serving board/ }).click();
    await markPage(ada.page);
    await bo.page.getByRole('button', { name: 'Mark as sent' }).click();
    await becomes(ada.page.locator('#badge'), 'Delivered');
    await ada.checkPage('delivered', pictures);
    expect(await isMarked(ada.page)).toBe(true);

    expect(await purse.locator('#available').textContent()).toBe('$0.00');
    await markPage(bo.page);
    await ada.page.getByRole('button', { name: /^Approve and pay/ }).click();
    await becomes(purse.locator('#available'), '$45.60'); // 48.00 less the fee of 5 %
    await becomes(purse.locator('#statement'), 'Oak serving board');
    expect(await isMarked(purse)).toBe(true);
    await becomes(bo.page.locator('#badge'), 'Paid to the seller');
    expect(await isMarked(bo.page)).toBe(true);
    await bo.checkPage('sold', pictures);
    const lines = await bo.page.locator('.timeline li').allTextContents();
    expect(lines.map((text) => text.replace(/\s+\d.*$/s, ''))).toEqual([
      'Bo has been paid $45.60.',
      'Ada approved. Bo is being paid.',
      'Bo has sent the item.',
      'The money is in escrow. Bo can start.',
      'The escrow is being opened.',
      '$48.00 of Ada’s balance is reserved.',
      'Ada placed the order.',
    ]);
    await environment.allLeave();
  });

  it('tops up on the payment page, opens a dispute, and lets support split it', async () => {
    const [noor, sam, bo] = [
      await environment.visit('Noor'),
      await environment.visit('Sam'),
      await environment.visit('Bo'),
    ];
    await noor.page.goto('/balance');
    await noor.page.getByLabel('Amount in dollars').first().fill('150.00');
    const beside = await noor.beside('/balance');
    await markPage(beside);
    await noor.page.getByRole('button', { name: 'Continue to payment' }).click();
    await noor.page.getByRole('button', { name: 'Pay $150.00' }).click();
    await noor.page.waitForURL('**/balance?message=paying');
    await becomes(beside.locator('#available'), '$150.00');
    await becomes(beside.locator('#payments'), 'Received');
    expect(await isMarked(beside)).toBe(true);

    await environment.buy(noor, 'Brass desk lamp');
    await becomes(beside.locator('#available'), '$30.00');
    await markPage(sam.page);
    await sam.checkPage('support-empty', pictures);
    await noor.page.getByText('Report a problem').click();
    await noor.page.getByLabel('Reason').selectOption('It is not as described');
    await noor.page.getByLabel('In your own words').fill('The shade has a dent. <b>See it!</b>');
    await noor.checkPage('complaint', pictures);
    await noor.page.getByRole('button', { name: 'Open a dispute' }).click();

    await becomes(sam.page.locator('#desk'), 'The shade has a dent. <b>See it!</b>');
    expect(await isMarked(sam.page)).toBe(true);
    await sam.page.getByRole('button', { name: 'Assign to me' }).click();
    await becomes(noor.page.locator('#now'), 'Sam is reviewing the dispute.');
    await sam.page.getByLabel(/^Amount for Bo, of/).fill('90.10');
    await becomes(sam.page.locator('output'), '$29.90');
    await sam.page.getByLabel(/^Reason/).fill('A dent is a dent, but the lamp works.');
    await sam.checkPage('support', pictures);
    await bo.page.goto('/balance');
    await markPage(bo.page);
    await sam.page.getByRole('button', { name: 'Resolve dispute' }).click();

    await becomes(noor.page.locator('#badge'), 'Split by support');
    await becomes(beside.locator('#available'), '$59.90');
    // 45.60 from the earlier sale, and 90.10 less 5 %: the fee of 4.505 rounds half to even, to
    // 4.50.
    await becomes(bo.page.locator('#available'), '$131.20');
    expect(await isMarked(bo.page)).toBe(true);
    await noor.checkPage('split', pictures);
    await environment.allLeave();
  });

  it('withdraws money, and shows when it has arrived', async () => {
    const bo = await environment.visit('Bo');
    await bo.page.goto('/balance');
    await bo.page.locator('#withdraw-amount').fill('1000');
    await bo.page.getByRole('button', { name: 'Withdraw' }).click();
    await becomes(bo.page.locator('main'), 'You have $131.20 available. Nothing was sent.');
    bo.forgive(/status of 400/);
    await bo.page.getByRole('link', { name: 'Back' }).click();
    await bo.page.locator('#withdraw-amount').fill('31.20');
    await bo.page.getByRole('button', { name: 'Withdraw' }).click();
    await becomes(bo.page.locator('#available'), '$100.00');
    await markPage(bo.page);
    await becomes(bo.page.locator('#payments'), 'Paid out');
    expect(await isMarked(bo.page)).toBe(true);
    await bo.checkPage('balance', pictures);
    const table = await bo.request.get('/balance/statement.csv');
    expect([table.status(), (await table.text()).includes('31.20')]).toEqual([200, true]);
    await environment.allLeave();
  });

  it('sells a work with two milestones', async () => {
    const [ada, cleo] = [await environment.visit('Ada'), await environment.visit('Cleo')];
    await environment.buy(ada, 'Your portrait in ink');
    await cleo.page.getByRole('link', { name: /Your portrait/ }).click();
    await cleo.page.getByRole('button', { name: 'Mark “Sketch” as finished' }).click();
    await becomes(ada.page.locator('#now'), /Sketch\s*finished/);
    expect(await ada.page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    await cleo.page.getByRole('button', { name: 'Mark “Finished portrait” as finished' }).click();
    await ada.page.getByRole('button', { name: /^Approve and pay/ }).waitFor();
    await ada.checkPage('milestones', pictures);
    await ada.page.getByRole('button', { name: /^Approve and pay/ }).click();
    await becomes(cleo.page.locator('#purse'), '$190.00');
    await environment.allLeave();
  });

  it('shows an unknown outcome as such, and then its result', async () => {
    const [ada, bo] = [await environment.visit('Ada'), await environment.visit('Bo')];
    await environment.buy(ada, 'Stoneware mug');
    await bo.page.getByRole('link', { name: /Stoneware mug/ }).click();
    await bo.page.getByRole('button', { name: 'Mark as sent' }).click();
    const approve = ada.page.getByRole('button', { name: /^Approve and pay/ });
    await approve.waitFor();
    const world = new World({ url: environment.set.ready.sandbox });
    await world.fault('escrow.release', 'drop-after');
    await world.fault('ledger.lookup', 'error-before', { times: 500 });
    await approve.click();
    await becomes(ada.page.locator('#now'), 'We are checking the payment.');
    expect(await ada.page.getByRole('button').count()).toBe(0);
    await ada.checkPage('checking', pictures);
    await world.clearFaults();
    await becomes(ada.page.locator('#badge'), 'Paid to the seller');
    await becomes(bo.page.locator('#purse'), '$122.80');
    await environment.allLeave();
  });

  it('refuses a purchase without funds, retries a declined transfer, and refunds', async () => {
    const [noor, bo] = [await environment.visit('Noor'), await environment.visit('Bo')];
    await noor.page.goto('/items/brass-lamp');
    await noor.page.getByRole('button', { name: /^Buy for/ }).click();
    await becomes(
      noor.page.locator('main'),
      'Your balance is too low. Top up first; you have not been charged.',
    );
    noor.forgive(/status of 409/);
    await new World({ url: environment.set.ready.sandbox }).fault('escrow.fund', 'reject');
    await noor.page.goto('/items/stoneware-mug');
    await noor.page.getByRole('button', { name: /^Buy for/ }).click();
    await becomes(noor.page.locator('#now'), 'The transfer was declined.');
    await noor.checkPage('refused', pictures);
    await noor.page.getByRole('button', { name: 'Try again' }).click();
    await becomes(noor.page.locator('#badge'), 'In progress');
    await becomes(noor.page.locator('#purse'), '$35.90');
    await bo.page.getByRole('link', { name: /Stoneware mug.*for Noor/ }).click();
    await bo.page.getByText('I can’t deliver this').click();
    await bo.page.getByRole('button', { name: 'Refund buyer' }).click();
    await becomes(noor.page.locator('#badge'), 'Refunded');
    await becomes(noor.page.locator('#purse'), '$59.90');
    await environment.allLeave();
  });

  it('resumes a checkout after a kill, and repeats no effect', async () => {
    const ada = await environment.visit('Ada');
    await ada.page.goto('/items/linen-apron');
    await ada.page.getByRole('button', { name: /^Buy for/ }).click();
    await ada.page.waitForURL('**/orders/*');
    const address = ada.page.url();
    await environment.killShop();
    await ada.page.goto(address);
    await becomes(ada.page.locator('#badge'), 'In progress');
    const steps = ada.page.locator('.timeline li');
    await expect.poll(() => steps.count(), { timeout: 10_000 }).toBe(4);
    const aprons = [];
    for await (const order of environment.holdfast.orders.list()) {
      if (order.title === 'Linen apron') aprons.push(order.status);
    }
    expect(aprons).toEqual(['IN_PROGRESS']);
    ada.forgive(/net::ERR_/);
    await environment.allLeave();
  });

  it('refuses requests on behalf of another user', async () => {
    const [ada, noor] = [await environment.visit('Ada'), await environment.visit('Noor')];
    await ada.page.goto('/orders');
    await ada.checkPage('orders', pictures);
    const link = ada.page.getByRole('link', { name: /Linen apron/ });
    const order = (await link.getAttribute('href')) as string;
    const statuses = async (visitor: Visitor, headers: Record<string, string>) => [
      (await visitor.request.get(order, { headers })).status(),
      (await visitor.request.post(`${order}/approve`, { headers })).status(),
      (await visitor.request.post(`${order}/give-back`, { headers })).status(),
    ];
    expect(await statuses(noor, {})).toEqual([404, 404, 404]);
    expect(await statuses(ada, {})).toEqual([200, 409, 403]);
    expect(await statuses(ada, { origin: 'https://elsewhere.example' })).toEqual([200, 403, 403]);
    const forged = { cookie: `driftwood=ada.${'A'.repeat(43)}` };
    expect((await fetch(`${environment.shop.url}${order}`, { headers: forged })).status).toBe(403);
    expect((await fetch(`${environment.shop.url}/support`, { headers: forged })).status).toBe(403);
    expect((await noor.request.get('/support')).status()).toBe(403);
    expect((await fetch(`${environment.shop.url}/assets/../package.json`)).status).toBe(404);
    expect((await fetch(`${environment.shop.url}/assets/..%2fpackage.json`)).status).toBe(404);
    await noor.page.goto('/sign-in');
    await noor.checkPage('people', pictures);
    await environment.allLeave();
  });

  it('accepts events by webhook instead, each once', async () => {
    const secret = exampleSecret();
    const env = { HOLDFAST_WEBHOOK_SECRET: secret };
    const data = join(environment.folder, 'by-webhook');
    const other = await startShop({ ready: environment.set.ready, data, env });
    try {
      let userId = 'usr_';
      for await (const user of environment.holdfast.users.list()) {
        if (user.externalUserId === 'driftwood:bo') userId = user.id;
      }
      const event = exampleEvent('balance.credited', {
        userId: userId as `usr_${string}`,
        currency: 'USD',
        newAvailableBalance: '777.77',
      });
      const send = async (key: string) => {
        const { body, headers } = await signWebhook(event, key);
        const to = `${other.url}/webhooks/holdfast`;
        return (await fetch(to, { method: 'POST', body, headers })).status;
      };
      const bo = await Visitor.open(environment.browser, other.url);
      await bo.signIn('Bo');
      expect(await send(exampleSecret())).toBe(401);
      expect(await send(secret)).toBe(204);
      await becomes(bo.page.locator('#purse'), '$777.77');
      expect(await send(secret)).toBe(204);
      await bo.close(environment.set.ready.apiKey);
    } finally {
      await other.kill('SIGTERM');
    }
  });
});
