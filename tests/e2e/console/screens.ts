//! Checks every screen of the console in light and dark mode, and on a phone if it supports one.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { List } from '@holdfast/sdk';
import {
  EVERYWHERE,
  expectAccessible,
  ON_DESK,
  photograph,
} from '../../harness/browser/appearances.ts';
import type { Environment, Name } from './environment.ts';
import { settled } from './operator.ts';

export interface ScreenRow {
  /** Its folder in apps/console/src/screens. */
  readonly folder: string;
  readonly path: string | ((environment: Environment) => Promise<string>);
  readonly isForPhones?: true;
  /** The operator who opens the screen; the default is an admin of the marketplace. */
  readonly by?: Name;
}

async function first(list: List<{ readonly id: string }>): Promise<string> {
  const found = await list.first();
  assert.ok(found, 'the demo has no such record');
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
  { folder: 'notification', path: async ({ holdfast }) => `/inbox/${await first(holdfast.inbox.list())}` },
  { folder: 'developers', path: '/developers' },
  { folder: 'audit', path: '/audit' },
  { folder: 'system', path: '/system' },
  { folder: 'operators', path: '/operators', by: 'petra', isForPhones: true },
  { folder: 'recovery', path: '/recovery', by: 'petra', isForPhones: true },
  { folder: 'lab', path: '/lab' },
];

export async function pathOf(environment: Environment, { path }: ScreenRow): Promise<string> {
  return typeof path === 'string' ? path : path(environment);
}

export async function everyScreenIsListed(): Promise<void> {
  const folder = join(import.meta.dirname, '../../../apps/console/src/screens');
  const listed = SCREENS.map((row) => row.folder);
  assert.deepEqual(listed.toSorted(), readdirSync(folder).toSorted());
}

export async function checkScreen(environment: Environment, row: ScreenRow): Promise<void> {
  const operator = await environment.at(row.by ?? 'adam');
  const { page } = operator;
  await operator.go(await pathOf(environment, row));
  await photograph(page, row.folder, environment.pictures, row.isForPhones ? EVERYWHERE : ON_DESK);
  await settled(page);
  await expectAccessible(page);
  const errors = page.getByRole('alert').filter({ hasText: /Request\s*req_|went wrong/ });
  assert.deepEqual(await errors.allTextContents(), [], 'the screen shows an error');
}

export async function checkSignIn(environment: Environment): Promise<void> {
  const felix = await environment.arrival('felix');
  await felix.page.goto('/console/');
  await felix.page.getByRole('textbox', { name: 'Email' }).waitFor();
  await photograph(felix.page, 'sign-in', environment.pictures);
  await expectAccessible(felix.page);
  await felix.context.close();
}

/** Opens the dialogs over a screen: an action and the search. */
export async function checkDialogs(environment: Environment): Promise<void> {
  const adam = await environment.at('adam');
  const { page } = adam;
  await adam.go('/developers');
  await adam.button('Create API key').click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).waitFor();
  await photograph(page, 'action', environment.pictures, ON_DESK);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('textbox', { name: /^ID, reference, transaction hash/ }).fill('usr_');
  await page.getByRole('option').first().waitFor();
  await photograph(page, 'search', environment.pictures, ON_DESK);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
}

/**
 * Checks the platform admins' screens, the menu of every operator, and the refusal for all others.
 */
export async function checkPlatform(environment: Environment): Promise<void> {
  const petra = await environment.at('petra');
  const { page } = petra;
  await petra.go('/');
  await page.getByRole('heading', { level: 1, name: 'Operators' }).waitFor();
  await page.getByText('You do not have a role in any marketplace yet.').waitFor();
  await page.getByRole('link', { name: 'Assign yourself a role', exact: true }).click();
  await page.getByRole('dialog', { name: 'Operator', exact: true }).waitFor();
  await petra.button('Change roles').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await petra.button('Invite operator').click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('cell', { name: 'Vera Viewer', exact: true }).click();
  await petra.button('Change roles').waitFor();
  await photograph(page, 'operators-one', environment.pictures);
  await expectAccessible(page);
  await petra.button('Change roles').click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).waitFor();
  await photograph(page, 'operators-roles', environment.pictures, ON_DESK);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await petra.go('/solvency');
  await page.getByRole('heading', { level: 1, name: 'Solvency' }).waitFor();
  await page.getByText(/^(Payouts active|Payouts paused)$/).waitFor();
  await photograph(page, 'solvency-platform', environment.pictures, ON_DESK);
  await expectAccessible(page);

  const adam = await environment.at('adam');
  await adam.go('/operators');
  await adam.page.getByText('Platform admins only').waitFor();
  assert.equal(await adam.page.getByRole('link', { name: 'Operators' }).count(), 0);
  await photograph(adam.page, 'operators-refused', environment.pictures, ON_DESK);
  await adam.button(/^Signed in as/).click();
  await adam.page.getByRole('menuitem', { name: 'Change password' }).click();
  await adam.page.getByRole('textbox', { name: 'Confirm new password' }).waitFor();
  await photograph(adam.page, 'password', environment.pictures);
  await expectAccessible(adam.page);
}
