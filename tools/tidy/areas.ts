//! The areas of the server, from the bottom up. `npm run imports` makes its rules from this table,
//! and `npm run generate` draws the map of README.md and ARCHITECTURE.md.

export const SERVER = 'apps/server/src';

export interface Module {
  /** Its folder in its area; empty where the area is one module. */
  readonly name: string;
  readonly holds: string;
  /** The modules it may import besides the platform; `*` for all lower areas. */
  readonly uses: readonly string[];
}

/** Areas import areas of a lower rank, and modules of an area those above them in its list. */
export interface Area {
  readonly name: string;
  readonly rank: number;
  readonly modules: readonly Module[];
}

/** `orders/escrow`, or the area's own name where it is one module. */
export function moduleId(area: Area, module: Module): string {
  return module.name === '' ? area.name : `${area.name}/${module.name}`;
}

function area(rank: number, name: string, ...modules: readonly Module[]): Area {
  return { name, rank, modules };
}

function module(name: string, holds: string, uses: string = ''): Module {
  return { name, holds, uses: uses.split(/\s+/).filter((one) => one !== '') };
}

/** An area of one module. */
function single(rank: number, name: string, holds: string, uses?: string): Area {
  return area(rank, name, module('', holds, uses));
}

export const AREAS: readonly Area[] = [
  single(0, 'platform', 'settings, database, migrations, processes; imports no other area'),
  single(
    1,
    'providers',
    'escrow provider, payment provider, Stellar network: ports, adapters, signing',
  ),
  area(
    2,
    'record',
    module('audit', 'the audit log and its hash chain'),
    module('events', 'the event log: sequencer, notifier, streams'),
  ),
  // It knows none of the operations: each module brings its own sagas.
  single(
    3,
    'engine',
    'operations: sagas, steps, attempts, fences, Restate',
    'providers record/audit',
  ),
  area(
    3,
    'access',
    module('keys', 'API keys, tokens, authentication', 'record/audit'),
    module('operators', 'operators, sessions, roles', 'providers record/audit access/keys'),
    module(
      'marketplaces',
      'marketplaces and their limits',
      'record/audit access/keys access/operators',
    ),
    module(
      'enrollment',
      'invitations of operators, enrollment, activation, reset',
      'providers record/audit access/keys access/operators',
    ),
    module(
      'approvals',
      'requests that wait for a second approver',
      'record/audit access/operators',
    ),
  ),
  area(
    4,
    'accounts',
    module('books', 'double-entry books: balances, holds, the posting queue', 'record/audit'),
    module(
      'custody',
      "wallets: treasury, channel accounts, resolvers, and the pool for users' wallets",
      'providers',
    ),
    module(
      'users',
      'users of a marketplace, their wallets, payment accounts and debts',
      'providers record/audit accounts/custody',
    ),
  ),
  area(
    5,
    'payments',
    module(
      'mirror',
      "brings users' addresses on the network in line with the books",
      `providers record/audit record/events access/keys access/operators
       accounts/books accounts/custody accounts/users`,
    ),
    module(
      'topups',
      'money in through the payment provider',
      'providers record/audit engine access/marketplaces accounts/books accounts/users',
    ),
    module(
      'payout-limits',
      'what may be paid out now: waiting times of new destinations, sums of 24 hours',
      'record/audit',
    ),
    module(
      'withdrawals',
      'money out through the payment provider or over the network',
      `providers record/audit engine
       accounts/books accounts/custody accounts/users payments/mirror payments/payout-limits`,
    ),
    module(
      'deposits',
      "external payments to users' addresses",
      'providers accounts/books accounts/custody accounts/users payments/mirror',
    ),
  ),
  area(
    6,
    'orders',
    module(
      'model',
      'rows of orders, escrows and disputes; checks; allowed actions',
      'accounts/books',
    ),
    module(
      'order',
      'create, reserve, cancel, milestones, reads',
      'record/audit engine accounts/books accounts/users orders/model',
    ),
    module(
      'escrow',
      'the contract: created, found, funded',
      `providers record/audit engine accounts/books accounts/custody accounts/users
       payments/mirror orders/model orders/order`,
    ),
    module(
      'settlement',
      'release and refund: steps on the network, entries in the books',
      `providers record/audit engine accounts/books payments/mirror
       orders/model orders/order orders/escrow`,
    ),
    module(
      'disputes',
      'opened, assigned, resolved; evidence and notes',
      'providers record/audit engine orders/model orders/order orders/escrow orders/settlement',
    ),
    module('timeline', 'everything that happened to an order', 'orders/model'),
    module(
      'notifications',
      "applies the escrow provider's notifications",
      'providers record/audit engine orders/model orders/order orders/escrow orders/settlement',
    ),
  ),
  area(
    7,
    'members',
    module(
      'account',
      'members of Surface B: passwords, tokens, wallets',
      'providers record/audit accounts/books accounts/users',
    ),
    module(
      'projects',
      'projects of Surface B, over orders',
      `providers record/audit engine accounts/users orders/model orders/order orders/escrow
       orders/settlement orders/notifications`,
    ),
  ),
  area(
    7,
    'webhooks',
    module(
      'incoming',
      "providers' webhooks: stored once, then applied",
      'providers record/audit payments/topups payments/withdrawals orders/notifications',
    ),
    module(
      'outgoing',
      "events sent to a marketplace's endpoints, signed and in order",
      'providers record/audit record/events engine',
    ),
  ),
  area(
    7,
    'assurance',
    module('comparison', "compares a provider's records with ours", 'providers payments/topups'),
    module(
      'solvency',
      'assets against liabilities every minute; pauses payouts',
      `providers record/audit access/operators accounts/custody payments/mirror
       payments/withdrawals assurance/comparison`,
    ),
    module(
      'reconciliation',
      'runs and exceptions; verify and sync of a balance',
      `providers record/audit engine accounts/books accounts/users payments/mirror
       payments/topups payments/withdrawals payments/deposits assurance/comparison
       assurance/solvency`,
    ),
    module(
      'recovery',
      'what the database has forgotten after a restore or a failover; closed until that is known',
      `providers record/audit engine access/operators accounts/custody accounts/users
       payments/mirror payments/withdrawals payments/deposits orders/notifications
       assurance/comparison assurance/solvency`,
    ),
    module('statements', 'statements and reports', 'accounts/books payments/withdrawals'),
    module('ledger', 'reads of accounts and entries', 'assurance/statements'),
  ),
  // Reads for the console. Only the test lab changes data, by the operations of other modules.
  single(
    8,
    'console',
    'home figures, search, system status, request log, test lab',
    `providers record/audit engine accounts/books accounts/users payments/withdrawals
     orders/model orders/order orders/escrow orders/settlement orders/disputes assurance/solvency`,
  ),
  area(
    9,
    'api',
    module('http', 'transport: limits, bodies, request ids; imports only the platform'),
    module('surface-a', 'the routes of /api/v1', '* api/http'),
    module('surface-b', 'the routes of Surface B, at the root', '* api/http'),
  ),
  single(10, 'app', 'puts the parts of a process together; lists of jobs and of sagas', '*'),
  single(
    11,
    'programs',
    'API server, worker, migrate, rotate keys, verify audit: started by a command',
    '*',
  ),
];

/** Modules with operations: all but the bottom, and the surfaces and programs on top. */
export const MODULES: readonly string[] = AREAS.filter(
  ({ rank }) => rank >= 2 && rank <= 8,
).flatMap((each) => each.modules.map((one) => `${SERVER}/${moduleId(each, one)}`));
