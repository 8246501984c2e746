//! Checks the addresses of users who are due, and stores the transfers that each needs, in batches.
//!
//! Their wallets are locked from before the books are read until the batches are committed. From
//! then on the batch rows themselves keep other work away from these addresses.
import type { OperationId, UserId } from '@holdfast/kernel/ids';
import { PAYERS_MAX, PAYMENTS_MAX } from '../../accounts/custody/send-payments.ts';
import { withFreeWallets } from '../../accounts/custody/wallet-lock.ts';
import { listReadyWallets, wantWallets } from '../../accounts/users/wallet.ts';
import type { Call } from '../../platform/call.ts';
import { read, type Tx, transact } from '../../platform/database/transact.ts';
import { transactAt } from '../../platform/database/transact-at.ts';
import { passFor } from '../../platform/process/failpoint.ts';
import { mapAtOnce } from '../../platform/semaphore.ts';
import type { Outcome } from '../../providers/outcome.ts';
import { insertBatch, type Transfer } from './batch.ts';
import { type Budget, drawForSends, findBudget } from './budget.ts';
import { clearDue, clearWaits, type DueUser, listDue, markBooksDue, waitFor } from './due-user.ts';
import { listMovements } from './in-flight.ts';
import type { Mirrorer } from './mirrorer.ts';
import { type AddressObservation, findAccount, observeAddress } from './observe-address.ts';
import { needOf } from './plan-transfers.ts';
import { recordObservation } from './record-observation.ts';
import { ASSETS, type Asset, listCounts, listTargets, type PerAsset } from './wallet-mirror.ts';

export interface Written {
  /** How many users were checked. */
  readonly observed: number;
  readonly batches: readonly OperationId[];
}

/** More than fit into a transaction, because other workers may have the first ones. */
const DUE_MAX = 3 * PAYMENTS_MAX;
const OBSERVATIONS_AT_ONCE = 8;

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
  return withFreeWallets(app.pool, ready, PAYMENTS_MAX, (free) =>
    passFor(free.map(idOf), () => observeAndWrite(app, call, free)),
  );
}

/** Their wallets are still being created; a user who got their first money has none yet. */
async function waitAll(app: Mirrorer, call: Call, users: readonly DueUser[]): Promise<void> {
  await transact(
    app,
    call,
    async (tx) => {
      await wantWallets(
        tx,
        users.map(({ userId }) => userId),
      );
      for (const { userId } of users) await waitFor(tx, userId, 'NETWORK');
    },
    'read committed',
  );
}

type Observations = ReadonlyMap<Asset, AddressObservation>;

async function observeAndWrite(
  app: Mirrorer,
  call: Call,
  group: readonly DueWallet[],
): Promise<Written> {
  if (group.length === 0) return { observed: 0, batches: [] };
  const userIds = group.map(({ userId }) => userId);
  // The books are read first: the network's later state can only be newer.
  const { targets, counts } = await read(app, call, async (tx) => ({
    targets: await listTargets(tx, userIds),
    counts: await listCounts(tx, userIds),
  }));
  const observations = new Map<UserId, Outcome<Observations>>(
    await mapAtOnce(
      OBSERVATIONS_AT_ONCE,
      group,
      async (wallet) => [wallet.userId, await observeAll(app, call, wallet, counts)] as const,
    ),
  );
  const budget = await findBudget(app);
  const batches = await write(app, call, { group, observations, before: targets, budget });
  return { observed: group.length, batches };
}

async function observeAll(
  app: Mirrorer,
  call: Call,
  wallet: DueWallet,
  counts: Awaited<ReturnType<typeof listCounts>>,
): Promise<Outcome<Observations>> {
  const found = await findAccount(app, wallet);
  if (found.kind !== 'done') return found;
  const observations = new Map<Asset, AddressObservation>();
  for (const asset of ASSETS) {
    const seen = { account: found.value, count: counts.of(wallet.userId, asset) };
    const observation = await observeAddress(app, call, wallet, asset, seen);
    if (observation.kind !== 'done') return observation;
    observations.set(asset, observation.value);
  }
  return { kind: 'done', value: observations };
}

interface Observed {
  readonly group: readonly DueWallet[];
  readonly observations: ReadonlyMap<UserId, Outcome<Observations>>;
  /** The amounts that the addresses should hold, by the books before the network was read. */
  readonly before: PerAsset<bigint>;
  readonly budget: Budget;
}

async function write(app: Mirrorer, call: Call, observed: Observed): Promise<OperationId[]> {
  const { group, budget } = observed;
  const at = { point: 'mirror:write', isolation: 'read committed' } as const;
  return transactAt(app, call, at, async (tx) => {
    const { wanted, unseen, heldBack } = await needsOf(tx, app, observed);
    const { granted, refused } = await drawForSends(tx, app, wanted, budget);
    await updateDue(tx, observed, { unseen, granted, heldBack: [...heldBack, ...refused] });
    const batches: OperationId[] = [];
    for (const batch of divide(granted, group)) batches.push(await insertBatch(tx, batch));
    return batches;
  });
}

interface DueUpdate {
  /** Users whose address could not be read, or not for certain. */
  readonly unseen: readonly UserId[];
  /** Users whose address was read, and who have to wait. */
  readonly heldBack: readonly UserId[];
  readonly granted: readonly Transfer[];
}

/** Users who wait stay due, but their movements on the network count as observed. */
async function updateDue(tx: Tx, { group }: Observed, update: DueUpdate): Promise<void> {
  const { unseen, heldBack, granted } = update;
  const isUnseen = new Set(unseen);
  const isWaiting = new Set([...unseen, ...heldBack]);
  const isMoved = new Set(granted.map(({ userId }) => userId));
  const seen = group.filter(({ userId }) => !isUnseen.has(userId));
  await clearDue(tx, seen);
  const again = seen.filter(({ userId }) => isWaiting.has(userId));
  await markBooksDue(tx, again.map(idOf));
  // The count of failed transfers is kept until one has taken effect.
  const isSettled = ({ userId, waited }: DueWallet) =>
    !isWaiting.has(userId) && !(isFailed(waited) && isMoved.has(userId));
  await clearWaits(tx, group.filter(isSettled).map(idOf));
}

const idOf = ({ userId }: DueWallet) => userId;

interface Needs {
  readonly wanted: readonly Transfer[];
  readonly unseen: readonly UserId[];
  readonly heldBack: readonly UserId[];
}

async function needsOf(
  tx: Tx,
  app: Mirrorer,
  { group, observations, before }: Observed,
): Promise<Needs> {
  const userIds = group.map(({ userId }) => userId);
  // Movements are read first: one that ends in between has changed the books, which are read next.
  const movements = await listMovements(tx, userIds);
  const after = await listTargets(tx, userIds);
  const wanted: Transfer[] = [];
  const unseen: UserId[] = [];
  const heldBack: UserId[] = [];
  for (const wallet of group) {
    const { userId, address } = wallet;
    const found = observations.get(userId);
    if (found?.kind !== 'done') {
      await waitFor(tx, userId, 'NETWORK');
      unseen.push(userId);
      continue;
    }
    for (const [asset, observation] of found.value) {
      const wait = await recordObservation(tx, app, wallet, asset, observation);
      const targets = [before.of(userId, asset), after.of(userId, asset)] as const;
      const movement = movements.get(userId) ?? 'none';
      const { mirrored } = observation.count;
      const need = needOf({ targets, mirrored, actual: observation.actual, movement });
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

const isFailed = (waited: DueUser['waited']) => waited?.reason === 'ESCALATED';

/**
 * Many payments out share one transaction; transfers back carry a signature each. A transfer that
 * failed before goes alone, so that it fails no other.
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
