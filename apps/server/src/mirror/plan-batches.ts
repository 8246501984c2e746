//! Looks at the addresses of those who are due, and writes down what each needs, in batches.
//!
//! Their wallets are locked from before the books are read until the batches are committed; from
//! then on the rows themselves keep everybody else away from these addresses.
import type { OperationId, UserId } from '@holdfast/kernel/ids';
import { PAYERS_MAX, PAYMENTS_MAX } from '../custody/send-payments.ts';
import { withFreeWallets } from '../custody/wallet-lock.ts';
import type { Call } from '../platform/call.ts';
import { failpoint } from '../platform/failpoint.ts';
import { read, type Tx, transact } from '../platform/transact.ts';
import { turnstile } from '../platform/turnstile.ts';
import type { Outcome } from '../providers/outcome.ts';
import { listReadyWallets } from '../users/wallet.ts';
import { insertBatch, type Transfer } from './batch.ts';
import { type Budget, drawForSends, findBudget } from './budget.ts';
import { listMovements } from './in-flight.ts';
import { keepLook } from './keep-look.ts';
import { findAccount, type Look, lookAtAddress } from './look-at-address.ts';
import {
  type DueUser,
  forgetDue,
  forgetWaits,
  listDue,
  makeBooksDue,
  waitFor,
} from './make-due.ts';
import type { Mirrorer } from './mirrorer.ts';
import { needOf } from './plan-transfers.ts';
import { ASSETS, type Asset, listCounts, listTargets, type PerAsset } from './wallet-mirror.ts';

export interface Written {
  /** How many users had their turn. */
  readonly looked: number;
  readonly batches: readonly OperationId[];
}

/** More than fit, since others may be at the first ones. */
const DUE_MAX = 3 * PAYMENTS_MAX;
const LOOKS_AT_ONCE = 8;

export interface DueWallet extends DueUser {
  readonly address: string;
}

export async function writeBatches(app: Mirrorer, call: Call): Promise<Written> {
  const { due, wallets } = await read(app, call, async (tx) => {
    const users = await listDue(tx, DUE_MAX);
    const ids = users.map(({ userId }) => userId);
    return { due: users, wallets: await listReadyWallets(tx, ids) };
  });
  const ready = due.flatMap((user): DueWallet[] => {
    const address = wallets.get(user.userId)?.address;
    return address === undefined ? [] : [{ ...user, address }];
  });
  const unready = due.filter(({ userId }) => !wallets.has(userId));
  if (unready.length > 0) await waitAll(app, call, unready);
  return withFreeWallets(app.pool, ready, PAYMENTS_MAX, (free) => lookAndWrite(app, call, free));
}

/** Their wallets are being made. */
async function waitAll(app: Mirrorer, call: Call, users: readonly DueUser[]): Promise<void> {
  await transact(
    app,
    call,
    async (tx) => {
      for (const { userId } of users) await waitFor(tx, userId, 'NETWORK');
    },
    'read committed',
  );
}

type Looks = ReadonlyMap<Asset, Look>;

async function lookAndWrite(
  app: Mirrorer,
  call: Call,
  group: readonly DueWallet[],
): Promise<Written> {
  if (group.length === 0) return { looked: 0, batches: [] };
  const userIds = group.map(({ userId }) => userId);
  // The books first: what the network shows afterwards can only be newer.
  const { targets, counts } = await read(app, call, async (tx) => ({
    targets: await listTargets(tx, userIds),
    counts: await listCounts(tx, userIds),
  }));
  const gate = turnstile(LOOKS_AT_ONCE);
  const looks = new Map<UserId, Outcome<Looks>>(
    await Promise.all(
      group.map((wallet) =>
        gate.pass(async () => [wallet.userId, await lookAll(app, call, wallet, counts)] as const),
      ),
    ),
  );
  const budget = await findBudget(app);
  failpoint('mirror:after-look');
  const batches = await write(app, call, { group, looks, before: targets, budget });
  failpoint('mirror:after-write');
  return { looked: group.length, batches };
}

async function lookAll(
  app: Mirrorer,
  call: Call,
  wallet: DueWallet,
  counts: Awaited<ReturnType<typeof listCounts>>,
): Promise<Outcome<Looks>> {
  const found = await findAccount(app, wallet);
  if (found.kind !== 'done') return found;
  const looks = new Map<Asset, Look>();
  for (const asset of ASSETS) {
    const seen = { account: found.value, count: counts.of(wallet.userId, asset) };
    const look = await lookAtAddress(app, call, wallet, asset, seen);
    if (look.kind !== 'done') return look;
    looks.set(asset, look.value);
  }
  return { kind: 'done', value: looks };
}

interface Looked {
  readonly group: readonly DueWallet[];
  readonly looks: ReadonlyMap<UserId, Outcome<Looks>>;
  /** What the addresses should hold, as the books said before the network was asked. */
  readonly before: PerAsset<bigint>;
  readonly budget: Budget;
}

async function write(app: Mirrorer, call: Call, looked: Looked): Promise<OperationId[]> {
  const { group, budget } = looked;
  return transact(
    app,
    call,
    async (tx) => {
      const { wanted, unseen, heldBack } = await needsOf(tx, app, looked);
      const { granted, refused } = await drawForSends(tx, app, wanted, budget);
      await answer(tx, looked, { unseen, granted, heldBack: [...heldBack, ...refused] });
      const batches: OperationId[] = [];
      for (const batch of divide(granted, group)) batches.push(await insertBatch(tx, batch));
      return batches;
    },
    'read committed',
  );
}

interface Answered {
  /** Whoever could not be looked at, or not for certain. */
  readonly unseen: readonly UserId[];
  /** Whoever was, and has to wait. */
  readonly heldBack: readonly UserId[];
  readonly granted: readonly Transfer[];
}

/** Whoever waits stays due, but what moved on the network has been seen. */
async function answer(tx: Tx, { group }: Looked, answered: Answered): Promise<void> {
  const { unseen, heldBack, granted } = answered;
  const isUnseen = new Set(unseen);
  const isWaiting = new Set([...unseen, ...heldBack]);
  const isMoved = new Set(granted.map(({ userId }) => userId));
  const seen = group.filter(({ userId }) => !isUnseen.has(userId));
  await forgetDue(tx, seen);
  const again = seen.filter(({ userId }) => isWaiting.has(userId));
  await makeBooksDue(tx, again.map(idOf));
  // How often a transfer failed is remembered until one has taken effect.
  const isCalm = ({ userId, waited }: DueWallet) =>
    !isWaiting.has(userId) && !(isFailed(waited) && isMoved.has(userId));
  await forgetWaits(tx, group.filter(isCalm).map(idOf));
}

const idOf = ({ userId }: DueWallet) => userId;

interface Needs {
  readonly wanted: readonly Transfer[];
  readonly unseen: readonly UserId[];
  readonly heldBack: readonly UserId[];
}

async function needsOf(tx: Tx, app: Mirrorer, { group, looks, before }: Looked): Promise<Needs> {
  const userIds = group.map(({ userId }) => userId);
  // Movements first: what ends in between has changed the books, and those are read next.
  const movements = await listMovements(tx, userIds);
  const after = await listTargets(tx, userIds);
  const wanted: Transfer[] = [];
  const unseen: UserId[] = [];
  const heldBack: UserId[] = [];
  for (const wallet of group) {
    const { userId, address } = wallet;
    const found = looks.get(userId);
    if (found?.kind !== 'done') {
      await waitFor(tx, userId, 'NETWORK');
      unseen.push(userId);
      continue;
    }
    for (const [asset, look] of found.value) {
      const wait = await keepLook(tx, app, wallet, asset, look);
      const targets = [before.of(userId, asset), after.of(userId, asset)] as const;
      const movement = movements.get(userId) ?? 'none';
      const { mirrored } = look.count;
      const need = needOf({ targets, mirrored, actual: look.actual, movement });
      const reason = wait ?? (need.isHeldBack ? 'MOVING' : undefined);
      if (reason !== undefined) {
        await waitFor(tx, userId, reason);
        (wait === undefined ? heldBack : unseen).push(userId);
      } else if (need.stroops !== 0n)
        wanted.push({ userId, asset, address, stroops: need.stroops });
    }
  }
  return { wanted, unseen, heldBack };
}

const isFailed = (waited: DueUser['waited']) => waited?.reason === 'RAISED';

/**
 * Many go out in one transaction; those that come back carry a signature each. Whose transfer
 * failed before goes alone, so that nobody else fails with it again.
 */
function divide(transfers: readonly Transfer[], group: readonly DueWallet[]): Transfer[][] {
  const failed = new Set(
    group.filter(({ waited }) => isFailed(waited)).map(({ userId }) => userId),
  );
  const alone = transfers.filter(({ userId }) => failed.has(userId)).map((each) => [each]);
  const others = transfers.filter(({ userId }) => !failed.has(userId));
  const out = others.filter(({ stroops }) => stroops > 0n);
  const back = others.filter(({ stroops }) => stroops < 0n);
  return [...chunks(out, PAYMENTS_MAX), ...chunks(back, PAYERS_MAX), ...alone];
}

function chunks(transfers: readonly Transfer[], size: number): Transfer[][] {
  const count = Math.ceil(transfers.length / size);
  return Array.from({ length: count }, (_, at) => transfers.slice(at * size, (at + 1) * size));
}
