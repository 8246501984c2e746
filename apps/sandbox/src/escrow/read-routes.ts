//! The vendor's reads under /helper: balances, escrows by contract, by signer and by role.
import type { World } from '../world.ts';
import { ApiRefusal } from './api-refusal.ts';
import { checkQuery } from './body-shape.ts';
import { escrowView, type IndexedEscrow, statusOf } from './escrow.view.ts';
import { findIndexed, listIndexed, readFromLedger, refreshIndex } from './escrow-index.ts';
import { type Roles, totalOf } from './escrow-record.ts';
import { numberAmount } from './number-amount.ts';
import { getEscrow } from './vendor-call.ts';

const BALANCES_MAX = 20;
const PAGE_SIZE = 8;
const PAGE_SIZE_MAX = 100;

const FILTERS: readonly string[] = [
  ...['page', 'pageSize', 'orderBy', 'orderDirection', 'startDate', 'endDate', 'minAmount'],
  ...['maxAmount', 'isActive', 'title', 'engagementId', 'contractID', 'status', 'type'],
  'validateOnChain',
];
const ROLES: readonly (keyof Roles)[] = [
  ...(['approver', 'serviceProvider', 'platformAddress'] as const),
  ...(['releaseSigner', 'disputeResolver', 'receiver'] as const),
];

/** Balances are read from the ledger itself, always. */
export function listBalances(world: World, query: URLSearchParams): object[] {
  checkQuery(query, ['addresses[]', 'signer']);
  const addresses = query.getAll('addresses[]');
  if (addresses.length === 0) throw new ApiRefusal(400, "The 'addresses' parameter is required.");
  if (addresses.length > BALANCES_MAX)
    throw new ApiRefusal(400, 'You have requested too many escrows');
  return addresses.map((address) => {
    getEscrow(world, address);
    return { address, balance: numberAmount(world.ledger.usdcOf(address)) };
  });
}

export function listByContracts(world: World, query: URLSearchParams): object[] {
  // Without the brackets the parameter does not count as given.
  checkQuery(query, ['contractIds[]', 'contractIds', 'signer', 'validateOnChain']);
  const ids = query.getAll('contractIds[]');
  if (ids.length === 0) throw new ApiRefusal(400, "The 'contractIds' parameter is required.");
  const isOnChain = query.get('validateOnChain') === 'true';
  return ids.map((id) => {
    const found = isOnChain ? readFromLedger(world, id) : findIndexed(world, id);
    if (found === undefined) throw new ApiRefusal(404, `No escrow found for contract ID ${id}`);
    const isStale = world.faults.take('escrow', 'read', ['stale']) !== undefined;
    return escrowView(world, isStale ? { ...found, balance: 0n } : found);
  });
}

export function listBySigner(world: World, query: URLSearchParams): object[] {
  checkQuery(query, [...FILTERS, 'signer']);
  const signer = query.get('signer') ?? '';
  if (signer === '') throw new ApiRefusal(400, "The 'signer' parameter is required.");
  return listPage(world, query, (each) => each.signer === signer);
}

export function listByRole(world: World, query: URLSearchParams): object[] {
  checkQuery(query, [...FILTERS, 'role', 'roleAddress']);
  const name = query.get('role') ?? '';
  const address = query.get('roleAddress') ?? '';
  if (name === '' || address === '')
    throw new ApiRefusal(400, 'The information needed to filter by role is incomplete.');
  const role = ROLES.find((each) => each === name);
  // A role in snake_case is an example; the vendor's own response says no more than this.
  if (role === undefined) throw new ApiRefusal(500, 'Internal server error');
  return listPage(world, query, ({ escrow }) => {
    const receivers = escrow.milestones.map(({ receiver }) => receiver);
    const holders = role === 'receiver' ? [escrow.roles.receiver, ...receivers] : [];
    return escrow.roles[role] === address || holders.includes(address);
  });
}

type Filter = (escrow: IndexedEscrow) => boolean;

function listPage(world: World, query: URLSearchParams, isWanted: Filter): object[] {
  const filters = readFilters(query);
  const page = readCount(query, 'page', 1);
  const size = Math.min(readCount(query, 'pageSize', PAGE_SIZE), PAGE_SIZE_MAX);
  const isOnChain = query.get('validateOnChain') === 'true';
  // Only contracts in the database can be listed; the chain is then read again.
  const known = listIndexed(world)
    .filter(isWanted)
    .map((each) => (isOnChain ? (refreshIndex(world, each.contractId) ?? each) : each));
  return known
    .filter((each) => filters.every((matches) => matches(each)))
    .sort(orderOf(query))
    .slice((page - 1) * size, page * size)
    .map((each) => escrowView(world, each));
}

function readFilters(query: URLSearchParams): Filter[] {
  const equals = (name: string, read: (escrow: IndexedEscrow) => string): Filter[] => {
    const wanted = query.get(name);
    return wanted === null ? [] : [(each) => read(each) === wanted];
  };
  const title = query.get('title');
  return [
    ...equals('engagementId', ({ escrow }) => escrow.engagementId),
    ...equals('contractID', ({ contractId }) => contractId),
    ...equals('type', ({ escrow }) => escrow.type),
    ...equals('status', ({ escrow }) => statusOf(escrow)),
    ...equals('isActive', () => 'true'),
    ...(title === null ? [] : [({ escrow }: IndexedEscrow) => escrow.title.includes(title)]),
    ...dateFilter(query),
    ...amountFilter(query),
  ];
}

function dateFilter(query: URLSearchParams): Filter[] {
  const pair = readPair(query, 'startDate', 'endDate');
  if (pair === undefined) return [];
  const [from, to] = pair.map((day) => {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day))
      throw new ApiRefusal(400, 'Dates must have the format YYYY-MM-DD.');
    return Date.parse(day);
  }) as [number, number];
  const dayMs = 86_400_000;
  return [({ createdAt }) => createdAt >= from && createdAt < to + dayMs];
}

function amountFilter(query: URLSearchParams): Filter[] {
  const pair = readPair(query, 'minAmount', 'maxAmount');
  if (pair === undefined) return [];
  const [from, to] = pair.map((amount) => {
    if (!/^\d+(\.\d+)?$/.test(amount)) throw new ApiRefusal(400, 'Amounts must be numbers.');
    return +amount;
  }) as [number, number];
  return [
    ({ escrow }) => {
      const amount = numberAmount(totalOf(escrow));
      return amount >= from && amount <= to;
    },
  ];
}

function readPair(query: URLSearchParams, from: string, to: string): string[] | undefined {
  const pair = [query.get(from), query.get(to)];
  if (pair.every((each) => each === null)) return undefined;
  return pair.map((each) => {
    if (each === null)
      throw new ApiRefusal(400, `Both ${from} and ${to} must be provided together.`);
    return each;
  });
}

function readCount(query: URLSearchParams, name: string, otherwise: number): number {
  const given = query.get(name);
  if (given === null) return otherwise;
  if (!/^[1-9]\d{0,5}$/.test(given)) throw new ApiRefusal(400, [`${name} must not be less than 1`]);
  return +given;
}

const ORDERS: Readonly<Record<string, (escrow: IndexedEscrow) => number>> = {
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  amount: ({ escrow }) => numberAmount(totalOf(escrow)),
};

/** Newest first unless the query says otherwise. */
function orderOf(query: URLSearchParams): (one: IndexedEscrow, other: IndexedEscrow) => number {
  const rank = ORDERS[query.get('orderBy') ?? 'createdAt'];
  if (rank === undefined)
    throw new ApiRefusal(400, [
      'orderBy must be one of the following values: createdAt, updatedAt, amount',
    ]);
  const sign = query.get('orderDirection') === 'asc' ? 1 : -1;
  return (one, other) => sign * (rank(one) - rank(other));
}
