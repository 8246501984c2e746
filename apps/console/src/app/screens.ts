//! Every screen: where it is, what it is called, who sees it in the navigation.
import type { OperatorRole } from '@holdfast/sdk';
import type { ComponentType } from 'react';
import type { IconName } from '#parts/icons.tsx';

export interface ScreenModule {
  readonly Screen: ComponentType;
}

export interface ScreenRow {
  readonly path: string;
  readonly title: string;
  /** Before the title; absent where the navigation does not list it. */
  readonly icon?: IconName;
  /** Who finds it in the navigation. The server enforces who may read and do what. */
  readonly roles: readonly OperatorRole[];
  readonly section?: 'Work' | 'Money' | 'Integration' | 'Platform';
  /** The folder in src/screens that holds screen.tsx. */
  readonly folder: string;
  readonly isSandboxOnly?: boolean;
  /**
   * It works without a marketplace, for platform admins. `only`: for no other operator, regardless
   * of their role in a marketplace; `too`: also for operators who have a role in none.
   */
  readonly platform?: 'only' | 'too';
}

const EVERYONE: readonly OperatorRole[] = ['viewer', 'support', 'finance', 'admin'];
const ADMIN: readonly OperatorRole[] = ['admin'];

// biome-ignore format: a table is the one thing exempt from the line limit.
const ROWS: readonly ScreenRow[] = [
  { path: '/',                     title: 'Home',           icon: 'home',           section: 'Work',        roles: EVERYONE, folder: 'home' },
  { path: '/orders',               title: 'Orders',         icon: 'order',          section: 'Work',        roles: EVERYONE, folder: 'orders' },
  { path: '/orders/$id',           title: 'Order',                                                          roles: EVERYONE, folder: 'order' },
  { path: '/disputes',             title: 'Disputes',       icon: 'dispute',        section: 'Work',        roles: EVERYONE, folder: 'disputes' },
  { path: '/disputes/$id',         title: 'Dispute',                                                        roles: EVERYONE, folder: 'dispute' },
  { path: '/approvals',            title: 'Approvals',      icon: 'approval',       section: 'Work',        roles: EVERYONE, folder: 'approvals', platform: 'too' },
  { path: '/users',                title: 'Users',          icon: 'users',          section: 'Work',        roles: EVERYONE, folder: 'users' },
  { path: '/users/$id',            title: 'User',                                                           roles: EVERYONE, folder: 'user' },
  { path: '/topups',               title: 'Top-ups',        icon: 'topup',          section: 'Money',       roles: EVERYONE, folder: 'topups' },
  { path: '/topups/$id',           title: 'Top-up',                                                         roles: EVERYONE, folder: 'topup' },
  { path: '/withdrawals',          title: 'Withdrawals',    icon: 'withdrawal',     section: 'Money',       roles: EVERYONE, folder: 'withdrawals' },
  { path: '/withdrawals/$id',      title: 'Withdrawal',                                                     roles: EVERYONE, folder: 'withdrawal' },
  { path: '/operations',           title: 'Operations',     icon: 'operation',      section: 'Money',       roles: EVERYONE, folder: 'operations' },
  { path: '/operations/$id',       title: 'Operation',                                                      roles: EVERYONE, folder: 'operation' },
  { path: '/ledger',               title: 'Ledger',         icon: 'ledger',         section: 'Money',       roles: EVERYONE, folder: 'ledger' },
  { path: '/ledger/accounts/$id',  title: 'Account',                                                        roles: EVERYONE, folder: 'ledger-account' },
  { path: '/ledger/entries/$id',   title: 'Entry',                                                          roles: EVERYONE, folder: 'ledger-entry' },
  { path: '/reconciliation',       title: 'Reconciliation', icon: 'reconciliation', section: 'Money',       roles: EVERYONE, folder: 'reconciliation' },
  { path: '/reconciliation/$id',   title: 'Reconciliation run',                                             roles: EVERYONE, folder: 'reconciliation-run' },
  { path: '/solvency',             title: 'Solvency',       icon: 'solvency',       section: 'Money',       roles: EVERYONE, folder: 'solvency', platform: 'too' },
  { path: '/events',               title: 'Events',         icon: 'event',          section: 'Integration', roles: EVERYONE, folder: 'events' },
  { path: '/webhooks',             title: 'Webhooks',       icon: 'webhook',        section: 'Integration', roles: EVERYONE, folder: 'webhooks' },
  { path: '/webhooks/$id',         title: 'Webhook endpoint',                                               roles: EVERYONE, folder: 'webhook' },
  { path: '/inbox',                title: 'Provider notifications', icon: 'inbox',          section: 'Integration', roles: EVERYONE, folder: 'inbox' },
  { path: '/inbox/$id',            title: 'Provider notification',                                          roles: EVERYONE, folder: 'notification' },
  { path: '/developers',           title: 'Developers',     icon: 'developer',      section: 'Integration', roles: EVERYONE, folder: 'developers' },
  { path: '/audit',                title: 'Audit log',      icon: 'audit',          section: 'Platform',    roles: EVERYONE, folder: 'audit', platform: 'too' },
  { path: '/system',               title: 'System',         icon: 'system',         section: 'Platform',    roles: EVERYONE, folder: 'system' },
  { path: '/operators',            title: 'Operators',      icon: 'operator',       section: 'Platform',    roles: EVERYONE, folder: 'operators', platform: 'only' },
  { path: '/recovery',             title: 'Recovery',       icon: 'recovery',       section: 'Platform',    roles: EVERYONE, folder: 'recovery', platform: 'only' },
  { path: '/lab',                  title: 'Test lab',       icon: 'lab',            section: 'Platform',    roles: ADMIN,    folder: 'lab', isSandboxOnly: true },
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
