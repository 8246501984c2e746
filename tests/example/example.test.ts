//! The example marketplace, used by people in browsers: the whole story, live, on desk and phone.
import { join } from 'node:path';
import { exampleEvent, exampleSecret, signWebhook, World } from '@holdfast/sdk/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../tools/installed.ts';
import { startShop } from './shop-process.ts';
import { Stage } from './stage.ts';
import { becomes, isMarked, markPage, Visitor } from './visitor.ts';

/** What a contributor without a browser can leave to CI, CI can't. */
const isLeftOut = findChromium() === undefined && process.env['CI'] === undefined;
if (isLeftOut) process.stderr.write('Chromium is not installed: tests/example is skipped\n');

const STORY_MS = 180_000;

// One story: everybody goes on with the money and the orders that they have.
const STORY = { timeout: STORY_MS, shuffle: false };

describe.skipIf(isLeftOut)('the example marketplace', STORY, () => {
  let stage: Stage;
  let pictures: string | undefined;

  beforeAll(async () => {
    stage = await Stage.open();
    pictures = stage.pictures;
  }, STORY_MS);
  afterAll(() => stage?.close());

  it('sells: buy, deliver, approve, and the seller has the money while looking', async () => {
    const [ada, bo] = [await stage.visit('Ada'), await stage.visit('Bo')];
    const purse = await bo.beside('/balance');
    await markPage(purse);
    await markPage(bo.page);
    await ada.look('browse', pictures);
    await ada.page.goto('/items/oak-board');
    await ada.look('item', pictures);
    await stage.buy(ada, 'Oak serving board');
    await becomes(ada.page.locator('#purse'), '$452.00');

    // Bo has had the list of sales open all the time.
    await becomes(bo.page.locator('#orders'), /Oak serving board.*Ada.*In progress/s);
    expect(await isMarked(bo.page)).toBe(true);
    await bo.page.getByRole('link', { name: /Oak serving board/ }).click();
    await markPage(ada.page);
    await bo.page.getByRole('button', { name: 'I have sent it' }).click();
    await becomes(ada.page.locator('#badge'), 'Delivered');
    await ada.look('delivered', pictures);
    expect(await isMarked(ada.page)).toBe(true);

    expect(await purse.locator('#available').textContent()).toBe('$0.00');
    await markPage(bo.page);
    await ada.page.getByRole('button', { name: /^Approve and pay/ }).click();
    await becomes(purse.locator('#available'), '$45.60'); // 48.00 less the fee of 5 %
    await becomes(purse.locator('#statement'), 'Oak serving board');
    expect(await isMarked(purse)).toBe(true);
    await becomes(bo.page.locator('#badge'), 'Paid to the seller');
    expect(await isMarked(bo.page)).toBe(true);
    await bo.look('sold', pictures);
    const told = await bo.page.locator('.story li').allTextContents();
    expect(told.map((text) => text.replace(/\s+\d.*$/s, ''))).toEqual([
      'Bo has been paid $45.60.',
      'Ada approved. Bo is being paid.',
      'Bo has sent it.',
      'The money is in escrow. Bo can start.',
      'The escrow is being opened.',
      '$48.00 of Ada’s balance is set aside.',
      'Ada placed the order.',
    ]);
    await stage.allLeave();
  });

  it('tops up by the pay page, disputes, and support splits', async () => {
    const [noor, sam, bo] = [
      await stage.visit('Noor'),
      await stage.visit('Sam'),
      await stage.visit('Bo'),
    ];
    await noor.page.goto('/balance');
    await noor.page.getByLabel('Amount in dollars').first().fill('150.00');
    const beside = await noor.beside('/balance');
    await markPage(beside);
    await noor.page.getByRole('button', { name: 'Continue to the pay page' }).click();
    await noor.page.getByRole('button', { name: 'Pay $150.00' }).click();
    await noor.page.waitForURL('**/balance?told=paying');
    await becomes(beside.locator('#available'), '$150.00');
    await becomes(beside.locator('#payments'), 'Received');
    expect(await isMarked(beside)).toBe(true);

    await stage.buy(noor, 'Brass desk lamp');
    await becomes(beside.locator('#available'), '$30.00');
    await markPage(sam.page);
    await sam.look('support-empty', pictures);
    await noor.page.getByText('Something is wrong').click();
    await noor.page.getByLabel('What is it?').selectOption('It is not as described');
    await noor.page.getByLabel('In your own words').fill('The shade has a dent. <b>See it!</b>');
    await noor.look('complaint', pictures);
    await noor.page.getByRole('button', { name: 'Open a dispute' }).click();

    await becomes(sam.page.locator('#desk'), 'The shade has a dent. <b>See it!</b>');
    expect(await isMarked(sam.page)).toBe(true);
    await sam.page.getByRole('button', { name: 'Take it' }).click();
    await becomes(noor.page.locator('#now'), 'Sam is looking at it');
    await sam.page.getByLabel(/How much does Bo get/).fill('90.10');
    await becomes(sam.page.locator('output'), '$29.90');
    await sam.page.getByLabel(/^Why/).fill('A dent is a dent, but the lamp works.');
    await sam.look('support', pictures);
    await bo.page.goto('/balance');
    await markPage(bo.page);
    await sam.page.getByRole('button', { name: 'Decide' }).click();

    await becomes(noor.page.locator('#badge'), 'Split by support');
    await becomes(beside.locator('#available'), '$59.90');
    // 45.60 of the sale before, and 90.10 less 5 %, which is 4.505: half to even is 4.50.
    await becomes(bo.page.locator('#available'), '$131.20');
    expect(await isMarked(bo.page)).toBe(true);
    await noor.look('split', pictures);
    await stage.allLeave();
  });

  it('takes money out, and tells when it has arrived', async () => {
    const bo = await stage.visit('Bo');
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
    await bo.look('balance', pictures);
    const table = await bo.request.get('/balance/statement.csv');
    expect([table.status(), (await table.text()).includes('31.20')]).toEqual([200, true]);
    await stage.allLeave();
  });

  it('sells a work in two parts', async () => {
    const [ada, cleo] = [await stage.visit('Ada'), await stage.visit('Cleo')];
    await stage.buy(ada, 'Your portrait in ink');
    await cleo.page.getByRole('link', { name: /Your portrait/ }).click();
    await cleo.page.getByRole('button', { name: '“Sketch” is finished' }).click();
    await becomes(ada.page.locator('#now'), /Sketch\s*finished/);
    expect(await ada.page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    await cleo.page.getByRole('button', { name: '“Finished portrait” is finished' }).click();
    await ada.page.getByRole('button', { name: /^Approve and pay/ }).waitFor();
    await ada.look('milestones', pictures);
    await ada.page.getByRole('button', { name: /^Approve and pay/ }).click();
    await becomes(cleo.page.locator('#purse'), '$190.00');
    await stage.allLeave();
  });

  it('says that it does not know when it does not, and finds out', async () => {
    const [ada, bo] = [await stage.visit('Ada'), await stage.visit('Bo')];
    await stage.buy(ada, 'Stoneware mug');
    await bo.page.getByRole('link', { name: /Stoneware mug/ }).click();
    await bo.page.getByRole('button', { name: 'I have sent it' }).click();
    const approve = ada.page.getByRole('button', { name: /^Approve and pay/ });
    await approve.waitFor();
    const world = new World({ url: stage.set.ready.sandbox });
    await world.fault('escrow.release', 'drop-after');
    await world.fault('ledger.lookup', 'error-before', { times: 500 });
    await approve.click();
    await becomes(ada.page.locator('#now'), 'We are checking with the bank.');
    expect(await ada.page.getByRole('button').count()).toBe(0);
    await ada.look('checking', pictures);
    await world.clearFaults();
    await becomes(ada.page.locator('#badge'), 'Paid to the seller');
    await becomes(bo.page.locator('#purse'), '$122.80');
    await stage.allLeave();
  });

  it('says no for want of money, takes a no of the bank, and gives back', async () => {
    const [noor, bo] = [await stage.visit('Noor'), await stage.visit('Bo')];
    await noor.page.goto('/items/brass-lamp');
    await noor.page.getByRole('button', { name: /^Buy for/ }).click();
    await becomes(noor.page.locator('main'), 'Your balance is too low for this.');
    noor.forgive(/status of 409/);
    await new World({ url: stage.set.ready.sandbox }).fault('escrow.fund', 'reject');
    await noor.page.goto('/items/stoneware-mug');
    await noor.page.getByRole('button', { name: /^Buy for/ }).click();
    await becomes(noor.page.locator('#now'), 'The bank said no.');
    await noor.look('refused', pictures);
    await noor.page.getByRole('button', { name: 'Try again' }).click();
    await becomes(noor.page.locator('#badge'), 'In progress');
    await becomes(noor.page.locator('#purse'), '$35.90');
    await bo.page.getByRole('link', { name: /Stoneware mug.*for Noor/ }).click();
    await bo.page.getByText('I can’t deliver this').click();
    await bo.page.getByRole('button', { name: 'Give the money back' }).click();
    await becomes(noor.page.locator('#badge'), 'Refunded');
    await becomes(noor.page.locator('#purse'), '$59.90');
    await stage.allLeave();
  });

  it('goes on with a checkout after it was killed, and does nothing twice', async () => {
    const ada = await stage.visit('Ada');
    await ada.page.goto('/items/linen-apron');
    await ada.page.getByRole('button', { name: /^Buy for/ }).click();
    await ada.page.waitForURL('**/orders/*');
    const address = ada.page.url();
    await stage.killShop();
    await ada.page.goto(address);
    await becomes(ada.page.locator('#badge'), 'In progress');
    const steps = ada.page.locator('.story li');
    await expect.poll(() => steps.count(), { timeout: 10_000 }).toBe(4);
    const aprons = [];
    for await (const order of stage.holdfast.orders.list()) {
      if (order.title === 'Linen apron') aprons.push(order.status);
    }
    expect(aprons).toEqual(['IN_PROGRESS']);
    ada.forgive(/net::ERR_/);
    await stage.allLeave();
  });

  it('lets nobody act for another', async () => {
    const [ada, noor] = [await stage.visit('Ada'), await stage.visit('Noor')];
    await ada.page.goto('/orders');
    await ada.look('orders', pictures);
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
    expect((await fetch(`${stage.shop.url}${order}`, { headers: forged })).status).toBe(403);
    expect((await fetch(`${stage.shop.url}/support`, { headers: forged })).status).toBe(403);
    expect((await noor.request.get('/support')).status()).toBe(403);
    expect((await fetch(`${stage.shop.url}/assets/../package.json`)).status).toBe(404);
    expect((await fetch(`${stage.shop.url}/assets/..%2fpackage.json`)).status).toBe(404);
    await noor.page.goto('/sign-in');
    await noor.look('people', pictures);
    await stage.allLeave();
  });

  it('takes events by webhook instead, each once', async () => {
    const secret = exampleSecret();
    const env = { HOLDFAST_WEBHOOK_SECRET: secret };
    const data = join(stage.folder, 'by-webhook');
    const other = await startShop({ ready: stage.set.ready, data, env });
    try {
      let userId = 'usr_';
      for await (const user of stage.holdfast.users.list()) {
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
      const bo = await Visitor.open(stage.browser, other.url);
      await bo.signIn('Bo');
      expect(await send(exampleSecret())).toBe(401);
      expect(await send(secret)).toBe(204);
      await becomes(bo.page.locator('#purse'), '$777.77');
      expect(await send(secret)).toBe(204);
      await bo.close(stage.set.ready.apiKey);
    } finally {
      await other.kill('SIGTERM');
    }
  });
});
