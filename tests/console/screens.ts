//! Every screen of the console, by day and by night, and on a phone where it is made for one.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { List } from '@holdfast/sdk';
import { EVERYWHERE, expectAccessible, ON_DESK, photograph } from '../browser/looks.ts';
import { settled } from './operator.ts';
import type { Name, Stage } from './stage.ts';

export interface ScreenRow {
  /** Its folder in apps/console/src/screens. */
  readonly folder: string;
  readonly path: string | ((stage: Stage) => Promise<string>);
  readonly isForPhones?: true;
  /** Who looks at it; an admin of the marketplace otherwise. */
  readonly by?: Name;
}

async function first(list: List<{ readonly id: string }>): Promise<string> {
  const found = await list.first();
  assert.ok(found, 'the demo has one');
  return found.id;
}

// biome-ignore format: a table is the one thing exempt from the line limit.
export const SCREENS: readonly ScreenRow[] = [
  { folder: 'home', path: '/', isForPhones: true },
  { folder: 'orders', path: '/orders' },
  { folder: 'order', path: async ({ holdfast }) => `/orders/${await first(holdfast.orders.list({ status: 'DISPUTED' }))}`, isForPhones: true },
  { folder: 'disputes', path: '/disputes' },
  { folder: 'dispute', path: async ({ holdfast }) => `/disputes/${await first(holdfast.disputes.list({ status: 'OPEN' }))}`, isForPhones: true },
  { folder: 'approvals', path: '/approvals?status=all', isForPhones: true },
  { folder: 'users', path: '/users' },
  { folder: 'user', path: async ({ holdfast }) => `/users/${(await holdfast.orders.list({ status: 'CLOSED' }).first())?.sellerId}` },
  { folder: 'topups', path: '/topups' },
  { folder: 'topup', path: async ({ holdfast }) => `/topups/${await first(holdfast.topups.list())}` },
  { folder: 'withdrawals', path: '/withdrawals' },
  { folder: 'withdrawal', path: async ({ holdfast }) => `/withdrawals/${await first(holdfast.withdrawals.list())}` },
  { folder: 'operations', path: '/operations' },
  { folder: 'operation', path: async ({ holdfast }) => `/operations/${await first(holdfast.operations.list({ kind: 'release-order' }))}` },
  { folder: 'ledger', path: '/ledger' },
  { folder: 'ledger-account', path: async ({ holdfast }) => `/ledger/accounts/${await first(holdfast.ledger.listAccounts())}` },
  { folder: 'ledger-entry', path: async ({ holdfast }) => `/ledger/entries/${await first(holdfast.ledger.listEntries())}` },
  { folder: 'reconciliation', path: '/reconciliation' },
  { folder: 'reconciliation-run', path: async ({ holdfast }) => `/reconciliation/${await first(holdfast.reconciliation.listRuns())}` },
  { folder: 'solvency', path: '/solvency' },
  { folder: 'events', path: '/events' },
  { folder: 'webhooks', path: '/webhooks' },
  { folder: 'webhook', path: async ({ holdfast }) => `/webhooks/${await first(holdfast.webhookEndpoints.list({ status: 'DISABLED' }))}` },
  { folder: 'inbox', path: '/inbox' },
  { folder: 'notice', path: async ({ holdfast }) => `/inbox/${await first(holdfast.inbox.list())}` },
  { folder: 'developers', path: '/developers' },
  { folder: 'audit', path: '/audit' },
  { folder: 'system', path: '/system' },
  { folder: 'operators', path: '/operators', by: 'petra', isForPhones: true },
  { folder: 'lab', path: '/lab' },
];

export async function pathOf(stage: Stage, { path }: ScreenRow): Promise<string> {
  return typeof path === 'string' ? path : path(stage);
}

export async function everyScreenIsListed(): Promise<void> {
  const folder = join(import.meta.dirname, '../../apps/console/src/screens');
  const listed = SCREENS.map((row) => row.folder);
  assert.deepEqual(listed.toSorted(), readdirSync(folder).toSorted());
}

export async function lookAtScreen(stage: Stage, row: ScreenRow): Promise<void> {
  const somebody = await stage.at(row.by ?? 'adam');
  const { page } = somebody;
  await somebody.go(await pathOf(stage, row));
  await photograph(page, row.folder, stage.pictures, row.isForPhones ? EVERYWHERE : ON_DESK);
  await settled(page);
  await expectAccessible(page);
  const errors = page.getByRole('alert').filter({ hasText: /Request\s*req_|went wrong/ });
  assert.deepEqual(await errors.allTextContents(), [], 'it shows no error');
}

export async function lookAtDoor(stage: Stage): Promise<void> {
  const felix = await stage.arrival('felix');
  await felix.page.goto('/console/');
  await felix.page.getByRole('textbox', { name: 'E-mail' }).waitFor();
  await photograph(felix.page, 'sign-in', stage.pictures);
  await expectAccessible(felix.page);
  await felix.context.close();
}

/** What stands in front of a screen: search, help, and an action. */
export async function lookAtDialogs(stage: Stage): Promise<void> {
  const adam = await stage.at('adam');
  const { page } = adam;
  await adam.go('/developers');
  await adam.button('Make a key').click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).waitFor();
  await photograph(page, 'action', stage.pictures, ON_DESK);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('textbox', { name: /^Id, reference, hash/ }).fill('usr_');
  await page.getByRole('option').first().waitFor();
  await photograph(page, 'search', stage.pictures, ON_DESK);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
}

/** What platform admins open, what everybody has in their menu, and what the others see instead. */
export async function lookAtPlatform(stage: Stage): Promise<void> {
  const petra = await stage.at('petra');
  const { page } = petra;
  await petra.go('/');
  await page.getByRole('heading', { level: 1, name: 'Operators' }).waitFor();
  await petra.button('Add an operator').click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).waitFor();
  await photograph(page, 'operators-add', stage.pictures, ON_DESK);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('cell', { name: 'Vera Viewer', exact: true }).click();
  await petra.button('Change roles').waitFor();
  await photograph(page, 'operators-one', stage.pictures);
  await expectAccessible(page);
  await petra.button('Change roles').click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).waitFor();
  await photograph(page, 'operators-roles', stage.pictures, ON_DESK);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await petra.go('/solvency');
  await page.getByRole('heading', { level: 1, name: 'Solvency' }).waitFor();
  await page.getByText(/^(Payouts go out|Payouts are paused)$/).waitFor();
  await photograph(page, 'solvency-platform', stage.pictures, ON_DESK);
  await expectAccessible(page);

  const adam = await stage.at('adam');
  await adam.go('/operators');
  await adam.page.getByText('Only platform admins see operators').waitFor();
  assert.equal(await adam.page.getByRole('link', { name: 'Operators' }).count(), 0);
  await photograph(adam.page, 'operators-refused', stage.pictures, ON_DESK);
  await adam.button(/^Signed in as/).click();
  await adam.page.getByRole('menuitem', { name: 'Change password' }).click();
  await adam.page.getByRole('textbox', { name: 'New password again' }).waitFor();
  await photograph(adam.page, 'password', stage.pictures);
  await expectAccessible(adam.page);
}
