//! Every screen: where it is, what it is called, who sees it in the navigation.
import type { OperatorRole } from '@holdfast/sdk';
import type { ComponentType } from 'react';

export interface ScreenModule {
  readonly Screen: ComponentType;
}

export interface ScreenRow {
  readonly path: string;
  readonly title: string;
  /** One or two letters before the title; absent where the navigation does not list it. */
  readonly letter?: string;
  /** Who finds it in the navigation. The server enforces who may read and do what. */
  readonly roles: readonly OperatorRole[];
  readonly section?: 'Work' | 'Money' | 'Integration' | 'Platform';
  /** The folder in src/screens that holds screen.tsx. */
  readonly folder: string;
  readonly isSandboxOnly?: boolean;
}

const EVERYONE: readonly OperatorRole[] = ['viewer', 'support', 'finance', 'admin'];
const ADMIN: readonly OperatorRole[] = ['admin'];

// biome-ignore format: a table is the one thing exempt from the line limit.
const ROWS: readonly ScreenRow[] = [
  { path: '/',                     title: 'Home',           letter: 'H',  section: 'Work',        roles: EVERYONE, folder: 'home' },
  { path: '/orders',               title: 'Orders',         letter: 'O',  section: 'Work',        roles: EVERYONE, folder: 'orders' },
  { path: '/orders/$id',           title: 'Order',                                                roles: EVERYONE, folder: 'order' },
  { path: '/disputes',             title: 'Disputes',       letter: 'D',  section: 'Work',        roles: EVERYONE, folder: 'disputes' },
  { path: '/disputes/$id',         title: 'Dispute',                                              roles: EVERYONE, folder: 'dispute' },
  { path: '/approvals',            title: 'Approvals',      letter: 'A',  section: 'Work',        roles: EVERYONE, folder: 'approvals' },
  { path: '/users',                title: 'Users',          letter: 'U',  section: 'Work',        roles: EVERYONE, folder: 'users' },
  { path: '/users/$id',            title: 'User',                                                 roles: EVERYONE, folder: 'user' },
  { path: '/topups',               title: 'Top-ups',        letter: 'T',  section: 'Money',       roles: EVERYONE, folder: 'topups' },
  { path: '/topups/$id',           title: 'Top-up',                                               roles: EVERYONE, folder: 'topup' },
  { path: '/withdrawals',          title: 'Withdrawals',    letter: 'W',  section: 'Money',       roles: EVERYONE, folder: 'withdrawals' },
  { path: '/withdrawals/$id',      title: 'Withdrawal',                                           roles: EVERYONE, folder: 'withdrawal' },
  { path: '/operations',           title: 'Operations',     letter: 'Op', section: 'Money',       roles: EVERYONE, folder: 'operations' },
  { path: '/operations/$id',       title: 'Operation',                                            roles: EVERYONE, folder: 'operation' },
  { path: '/ledger',               title: 'Ledger',         letter: 'L',  section: 'Money',       roles: EVERYONE, folder: 'ledger' },
  { path: '/ledger/accounts/$id',  title: 'Account',                                              roles: EVERYONE, folder: 'ledger-account' },
  { path: '/ledger/entries/$id',   title: 'Entry',                                                roles: EVERYONE, folder: 'ledger-entry' },
  { path: '/reconciliation',       title: 'Reconciliation', letter: 'R',  section: 'Money',       roles: EVERYONE, folder: 'reconciliation' },
  { path: '/reconciliation/$id',   title: 'Reconciliation run',                                   roles: EVERYONE, folder: 'reconciliation-run' },
  { path: '/solvency',             title: 'Solvency',       letter: 'S',  section: 'Money',       roles: EVERYONE, folder: 'solvency' },
  { path: '/events',               title: 'Events',         letter: 'E',  section: 'Integration', roles: EVERYONE, folder: 'events' },
  { path: '/webhooks',             title: 'Webhooks',       letter: 'Wh', section: 'Integration', roles: EVERYONE, folder: 'webhooks' },
  { path: '/webhooks/$id',         title: 'Webhook endpoint',                                     roles: EVERYONE, folder: 'webhook' },
  { path: '/inbox',                title: 'Inbox',          letter: 'I',  section: 'Integration', roles: EVERYONE, folder: 'inbox' },
  { path: '/inbox/$id',            title: 'Notice',                                               roles: EVERYONE, folder: 'notice' },
  { path: '/developers',           title: 'Developers',     letter: 'De', section: 'Integration', roles: EVERYONE, folder: 'developers' },
  { path: '/audit',                title: 'Audit',          letter: 'Au', section: 'Platform',    roles: EVERYONE, folder: 'audit' },
  { path: '/system',               title: 'System',         letter: 'Sy', section: 'Platform',    roles: EVERYONE, folder: 'system' },
  { path: '/lab',                  title: 'Test lab',       letter: 'Te', section: 'Platform',    roles: ADMIN,    folder: 'lab', isSandboxOnly: true },
];

const modules = import.meta.glob<ScreenModule>('../screens/*/screen.tsx');

export interface LoadableScreen extends ScreenRow {
  readonly load: () => Promise<ScreenModule>;
}

/** Each screen is a piece of its own, loaded when it is first opened. */
export const SCREENS: readonly LoadableScreen[] = ROWS.flatMap((row) => {
  const load = modules[`../screens/${row.folder}/screen.tsx`];
  return load === undefined ? [] : [{ ...row, load }];
});
