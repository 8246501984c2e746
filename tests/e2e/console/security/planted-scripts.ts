//! The console shows titles, names and evidence from users as text on every screen, never as code.
import assert from 'node:assert/strict';
import type { Order } from '@holdfast/sdk';
import type { Page, Response } from 'playwright-core';
import { advanceTo } from '../../../../apps/cli/src/scenarios/order-steps.ts';
import type { Environment } from '../environment.ts';
import type { Operator } from '../operator.ts';

const MARK = 'planted';
const SCRIPTS = [
  `<img src=x onerror="globalThis.wasRun=1" alt="${MARK}">`,
  `<script>globalThis.wasRun=1</script>${MARK}`,
  `"><svg onload="globalThis.wasRun=1">${MARK}`,
] as const;
const LINKS = [
  `javascript:globalThis.wasRun=1//${MARK}`,
  `JaVaScRiPt:globalThis.wasRun=1//${MARK}`,
  `data:text/html,<script>globalThis.wasRun=1</script>${MARK}`,
  `https://trusted.example@elsewhere.example/${MARK}`,
] as const;

export async function plantedScripts(environment: Environment): Promise<void> {
  const adam = await environment.at('adam');
  const order = await plantOrder(environment);
  const dispute = await plantDispute(environment, adam, order);
  const endpointId = await plantElsewhere(environment);
  const dialogs: string[] = [];
  adam.page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const [mustShow, mayShow] = pathsOf(order, dispute, endpointId);
  for (const path of [...mustShow, ...mayShow]) {
    await adam.go(path);
    if (mustShow.includes(path)) await adam.page.getByText(MARK).first().waitFor();
    await expectHarmless(adam.page, path);
  }
  await adam.go(dispute);
  await adam.page.getByText(LINKS[0]).first().waitFor();
  const links = adam.page.getByRole('link', { name: /^open /i });
  assert.equal(await links.count(), 0, 'no planted address is a link');
  await searchFor(adam);
  assert.deepEqual(dialogs, []);
}

/** Creates the order through the API, as a marketplace passes on its users' input. */
async function plantOrder(environment: Environment): Promise<Order> {
  const { holdfast } = environment;
  const email = `${MARK}-${Date.now()}@example.test`;
  const seller = await holdfast.users.create({ externalUserId: SCRIPTS[0], email });
  await holdfast.users.linkPaymentAccount(seller.id, {});
  const { buyerId } = await environment.order('Only for its buyer', '10.00');
  await holdfast.balances.credit(buyerId, { amount: '30.00', description: SCRIPTS[1] });
  const order = await holdfast.orders.create({
    buyerId,
    sellerId: seller.id,
    amount: '20.00',
    title: SCRIPTS[0],
    description: SCRIPTS[1],
    clientOrderRef: SCRIPTS[2],
    metadata: { [SCRIPTS[0]]: SCRIPTS[1], link: LINKS[0] },
    milestones: [{ ref: 'm1', title: SCRIPTS[2], amount: '20.00' }],
  });
  return advanceTo(environment.scenarioContext('20.00'), order, 'IN_PROGRESS');
}

/** Returns the path of the dispute's screen. */
async function plantDispute(
  environment: Environment,
  adam: Operator,
  order: Order,
): Promise<string> {
  const { id } = await environment.holdfast.orders.openDispute(order.id, {
    openedBy: 'BUYER',
    reason: 'OTHER',
    evidence: [...SCRIPTS, ...LINKS],
  });
  const statement = { statement: SCRIPTS.join('\n'), evidence: [...SCRIPTS, ...LINKS] };
  await environment.holdfast.disputes.createEvidence(id, { party: 'SELLER', ...statement });
  await environment.holdfast.disputes.assign(id, { assignedTo: SCRIPTS[0] });
  await adam.go(`/disputes/${id}`);
  await adam.page.getByLabel('New note').fill(SCRIPTS.join('\n'));
  const isWritten = (response: Response) => response.request().method() === 'POST';
  await Promise.all([adam.page.waitForResponse(isWritten), adam.button('Add note').click()]);
  return `/disputes/${id}`;
}

/** Returns the id of a webhook endpoint. */
async function plantElsewhere(environment: Environment): Promise<string> {
  const { masterKey, marketplaceId } = environment.set.ready;
  const master = environment.clientWith(masterKey);
  await master.keys.create({ name: SCRIPTS[0], scopes: ['read'], marketplaceId });
  const { webhookEndpoints } = environment.holdfast;
  const types = ['webhook.paused'] as const;
  const refused = await webhookEndpoints.create({ url: LINKS[0], types }).result();
  assert.equal(refused.ok, false, 'a script is not a valid webhook URL');
  const url = `http://127.0.0.1:9999/?"><svg/onload=globalThis.wasRun=1>${MARK}`;
  return (await webhookEndpoints.create({ url, description: SCRIPTS[1], types })).id;
}

function pathsOf(order: Order, dispute: string, endpointId: string): [string[], string[]] {
  const about = `/orders/${order.id}`;
  const mustShow = [
    '/orders',
    ...['timeline', 'milestones', 'parties', 'raw'].map((tab) => `${about}?tab=${tab}`),
    dispute,
    '/disputes',
    '/users',
    `/users/${order.sellerId}`,
    `/users/${order.buyerId}?tab=buys`,
    '/webhooks',
    `/webhooks/${endpointId}`,
    '/developers',
  ];
  const mayShow = [
    '/',
    `${about}?tab=postings`,
    `/users/${order.buyerId}?tab=statement`,
    '/ledger',
    '/events',
    '/developers?tab=requests',
    '/operations',
    '/audit',
  ];
  return [mustShow, mayShow];
}

async function expectHarmless(page: Page, path: string): Promise<void> {
  const found = await page.evaluate<[unknown, string[], number]>(`[
    globalThis.wasRun,
    [...document.links].map((link) => link.protocol).filter((one) => !/^https?:$/.test(one)),
    document.querySelectorAll('[onerror], [onload], main script').length,
  ]`);
  assert.deepEqual(found, [undefined, [], 0], path);
}

async function searchFor(adam: Operator): Promise<void> {
  await adam.page.keyboard.press('ControlOrMeta+k');
  await adam.page
    .getByRole('textbox', { name: /^ID, reference, transaction hash/ })
    .fill(SCRIPTS[2]);
  await adam.page.getByRole('option').filter({ hasText: MARK }).first().waitFor();
  await expectHarmless(adam.page, 'search');
  await adam.page.keyboard.press('Escape');
}
