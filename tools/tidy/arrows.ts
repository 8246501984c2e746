//! The allowed imports between modules. `npm run imports` makes its rules from this table.

const kernel = 'packages/kernel/src';
const contract = 'packages/contract/src';
const server = 'apps/server/src';
const platform = `${server}/platform`;
const providers = `${server}/providers`;
const audit = `${server}/audit`;
const custody = `${server}/custody`;
const books = `${server}/books`;
const users = `${server}/users`;
const access = `${server}/access`;
const orders = `${server}/orders`;
const topups = `${server}/topups`;
const withdrawals = `${server}/withdrawals`;
const mirror = `${server}/mirror`;
const deposits = `${server}/deposits`;
const reconciliation = `${server}/reconciliation`;
const statements = `${server}/statements`;
const members = `${server}/members`;
const projects = `${server}/projects`;
const operators = `${server}/operators`;
const approvals = `${server}/approvals`;
const explorer = `${server}/explorer`;
const requests = `${server}/requests`;
const operatorConsole = `${server}/console`;
const inbox = `${server}/inbox`;
const webhooks = `${server}/webhooks`;
const events = `${server}/events`;
const sagas = `${server}/engine`;

export interface Arrow {
  readonly from: string;
  /** Folders and files it may import, besides itself. */
  readonly may: readonly string[];
  /** Modules that it may import as types only. */
  readonly types?: readonly string[];
  /** Packages it may import: named ones, or any that its package.json declares. */
  readonly packages: 'declared' | readonly string[];
}

const declared = 'declared';
const foundation = [kernel, contract];
const settings = [`${server}/config.ts`, `${server}/settings.ts`];
const engine = [...foundation, ...settings, platform];
/** The parts of a process, as `wire` makes them. */
const types = [`${server}/wire.ts`, `${server}/wire-worker.ts`];
const module = [...engine, providers, audit];
const anyModule = [
  books,
  users,
  access,
  audit,
  custody,
  orders,
  topups,
  withdrawals,
  mirror,
  deposits,
  reconciliation,
  statements,
  members,
  projects,
  operators,
  approvals,
  explorer,
  requests,
  operatorConsole,
  inbox,
  events,
  webhooks,
];

/** Folders that do not exist yet are listed, so that their first file is already bound. */
export const ARROWS: readonly Arrow[] = [
  { from: kernel, may: [], packages: [] },
  { from: contract, may: [kernel], packages: ['typebox'] },
  { from: platform, may: [...foundation, ...settings], packages: declared },
  { from: `${server}/http`, may: engine, packages: declared },
  { from: providers, may: engine, packages: declared },
  { from: audit, may: engine, packages: declared },
  // The engine knows none of the operations; each module brings its own sagas.
  { from: sagas, may: module, packages: declared },
  { from: books, may: module, packages: declared },
  { from: events, may: module, packages: declared },
  // Keys and wallets of the house: users, orders and withdrawals draw on them.
  { from: custody, may: module, packages: declared },
  { from: users, may: [...module, custody], packages: declared },
  { from: access, may: module, packages: declared },
  { from: orders, may: [...module, custody, books, users, mirror, sagas], packages: declared },
  { from: topups, may: [...module, custody, books, users, sagas], packages: declared },
  { from: withdrawals, may: [...module, custody, books, users, mirror, sagas], packages: declared },
  // Computes and corrects the USDC of each address; modules that move money may call it.
  { from: mirror, may: [...module, access, custody, books, users, events], packages: declared },
  { from: deposits, may: [...module, custody, books, users, mirror, sagas], packages: declared },
  {
    from: reconciliation,
    may: [...module, custody, books, users, orders, topups, withdrawals, mirror, deposits, sagas],
    packages: declared,
  },
  { from: statements, may: [...module, books, users, withdrawals], packages: declared },
  { from: members, may: [...module, books, users], packages: declared },
  { from: projects, may: [...module, books, users, orders, sagas], packages: declared },
  { from: operators, may: [...module, access], packages: declared },
  { from: approvals, may: [...module, operators], packages: declared },
  // Reads for an operator's console, which change nothing. Only the test lab changes data, by the
  // operations of other modules.
  { from: explorer, may: [...module, books, statements], packages: declared },
  { from: requests, may: module, packages: declared },
  {
    from: operatorConsole,
    may: [...module, books, users, orders, withdrawals, reconciliation, sagas],
    packages: declared,
  },
  {
    from: inbox,
    may: [...module, books, users, orders, topups, withdrawals],
    packages: declared,
  },
  // Webhooks are read off the log, as the stream is.
  { from: webhooks, may: [...module, events, sagas], packages: declared },
  {
    from: `${server}/surface-a`,
    may: [...engine, `${server}/http`, sagas, ...anyModule],
    types,
    packages: declared,
  },
  {
    from: `${server}/surface-b`,
    may: [...engine, `${server}/http`, sagas, ...anyModule],
    types,
    packages: declared,
  },
  { from: `${server}/jobs`, may: [...engine, sagas, ...anyModule], types, packages: declared },
  // It ships alone: what it knows of the contract is generated into it.
  { from: 'packages/sdk/src', may: [], packages: ['node'] },
  { from: 'apps/console/src', may: [...foundation, 'packages/sdk/src'], packages: declared },
  { from: 'apps/cli/src', may: [...foundation, 'packages/sdk/src'], packages: declared },
  { from: 'apps/sandbox/src', may: [kernel], packages: declared },
  // A copied example has the SDK and nothing else of ours.
  { from: 'examples/marketplace/src', may: ['packages/sdk/src'], packages: declared },
  // An auditor that shares code with what it audits shares its mistakes.
  { from: 'tests/auditor', may: [], packages: ['pg', 'node'] },
];

/** Modules of the server: one folder each, one operation per file. */
export const MODULES: readonly string[] = anyModule;

/** An operation file is named verb-noun; any other file of a module is private to its folder. */
const VERBS =
  'anchor|apply|assign|cancel|commit|compact|complete|connect|consume|create|credit|debit|deliver|dispatch|fill|find|freeze|fund|get|issue|link|list|log|mirror|open|pause|post|preview|purge|receive|reconcile|record|refresh|refund|register|release|remove|replay|rerun|reserve|resolve|resume|retry|reveal|revoke|rotate|seed|set|show|spend|sponsor|steer|sync|true|unfreeze|unreserve|update|verify|write';
export const OPERATION_NAME: string = `/(${VERBS})-[a-z0-9-]+\\.ts$`;

export function isOperation(path: string): boolean {
  return MODULES.some((folder) => path.startsWith(`${folder}/`)) && operation.test(path);
}
const operation = new RegExp(OPERATION_NAME);
