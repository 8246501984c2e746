//! Takes a reading of solvency: a background job, once a minute. A difference that lasts for two
//! readings in a row, and that nothing in transit explains, stops payouts.
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { pausePayouts } from '../../payments/withdrawals/payouts-pause.ts';
import { systemCall } from '../../platform/call.ts';
import type { Config } from '../../platform/config/config.ts';
import type { RowNumber } from '../../platform/database/database.ts';
import { transact } from '../../platform/database/transact.ts';
import { PAYOUTS_PAUSED, SOLVENCY_READING_FAILED } from '../../platform/process/alarms.ts';
import { stroopsOfMinor, stroopsText } from '../../providers/network/stroops.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findAuditMarketplace } from './house-marketplace.ts';
import { ASSETS, type AssetPosition, type HousePosition, insertCapital } from './house-position.ts';
import {
  fetchHouseSnapshot,
  fetchInFlight,
  HOUSE,
  type HouseDeps,
  type HouseSnapshot,
  hasOpening,
  readHousePosition,
} from './house-snapshot.ts';
import { recordContractFees } from './record-contract-fees.ts';
import {
  countWallets,
  findNewestReading,
  insertReading,
  type SolvencyReading,
} from './solvency-reading.ts';
import { betterOf, openingOf, type SolvencyGroup, solvencyOf, worstOf } from './solvency-terms.ts';
import { walkAddresses } from './walk-addresses.ts';

export interface SolvencyWatcher extends HouseDeps {
  readonly config: Config;
}

const EVERY_MS = 60_000;
const DAY_MS = 86_400_000;
const ATTEMPTS_MAX = 5;
const PAUSE_MS = 100;

/** Any number of workers may run it: a worker that finds a recent reading takes none. */
export async function recordSolvency(app: SolvencyWatcher): Promise<number> {
  const newest = await transact(app, systemCall(HOUSE), findNewestReading, 'read committed');
  if (newest !== undefined && newest.takenAt > app.clock.now() - EVERY_MS * 0.9) return 0;
  return (await takeReading(app)) === undefined ? 0 : 1;
}

/** Undefined when the provider or the network did not reply: an unknown balance is no breach. */
export async function takeReading(app: SolvencyWatcher): Promise<SolvencyReading | undefined> {
  const auditedIn = await findAuditMarketplace(app.pool, app.config);
  // There is no marketplace yet, so nothing is owed.
  if (auditedIn === null) return undefined;
  const addressesRead = await walkAddresses(app, app.config.HOLDFAST_SOLVENCY_ADDRESSES);
  const takenAt = app.clock.now();
  const groups = await readGroups(app, auditedIn);
  if (groups === undefined) return undefined;
  const status = worstOf(groups.map((group) => group.status));
  const addressesKnown = await countWallets(app.pool);
  const reading = { takenAt, status, groups, addressesRead, addressesKnown };
  await saveReading(app, reading, auditedIn);
  return reading;
}

/**
 * Balances and lists of the provider cannot be read at one moment. A payment that ends in between
 * looks like a breach, but not in one attempt after another, as money that is missing does.
 */
export async function readGroups(
  app: SolvencyWatcher,
  auditedIn: RowNumber,
): Promise<SolvencyGroup[] | undefined> {
  await recordContractFees(app);
  for (let attempt = 1; ; attempt += 1) {
    const groups = await readGroupsOnce(app, auditedIn);
    const isBreach = groups?.some(({ status }) => status === 'BREACH') ?? false;
    if (!isBreach || attempt === ATTEMPTS_MAX) return groups;
    await sleep(PAUSE_MS);
  }
}

/** Reads the books, then the provider and the network, then the books again: see `betterOf`. */
async function readGroupsOnce(
  app: SolvencyWatcher,
  auditedIn: RowNumber,
): Promise<SolvencyGroup[] | undefined> {
  let before = await readHousePosition(app);
  const fetched = await fetchHouseSnapshot(app);
  if (fetched.kind !== 'done') return missed(app, fetched.reason);
  const windowMs = app.config.HOLDFAST_RECONCILIATION_DAYS * DAY_MS;
  const inFlight = await fetchInFlight(app, before, fetched.value, windowMs);
  if (inFlight.kind !== 'done') return missed(app, inFlight.reason);
  let after = await readHousePosition(app);
  if (!hasOpening(before)) {
    const why = whyOpeningWaits(before, after, fetched.value, inFlight.value);
    if (why !== undefined) {
      app.log.info({ why }, 'first solvency reading waits');
      return undefined;
    }
    await recordOpening(app, before, fetched.value, auditedIn);
    before = await readHousePosition(app);
    after = before;
  }
  const snapshot = {
    ...fetched.value,
    USDC: { ...fetched.value.USDC, inFlightAtProvider: inFlight.value },
  };
  const tolerance = stroopsOfMinor(app.config.HOLDFAST_SOLVENCY_TOLERANCE);
  return ASSETS.map((asset) =>
    betterOf(
      solvencyOf(asset, before[asset], snapshot[asset], tolerance),
      solvencyOf(asset, after[asset], snapshot[asset], tolerance),
    ),
  );
}

function missed(app: SolvencyWatcher, reason: string): undefined {
  app.log.warn({ reason }, SOLVENCY_READING_FAILED);
  return undefined;
}

/** Money in transit would count as the house's for ever. */
function whyOpeningWaits(
  before: HousePosition,
  after: HousePosition,
  snapshot: HouseSnapshot,
  inFlightAtProvider: bigint,
): string | undefined {
  if (!snapshot.isReady) return 'a house wallet cannot hold USDC yet';
  if (snapshot.USDC.treasury === 0n) return 'the treasury has no USDC';
  if (inFlightAtProvider !== 0n) return 'a payment of the provider is in transit';
  if (ASSETS.some((asset) => isMoving(before[asset]))) return 'money is in transit';
  if (before.hasUnseenMovement) return 'an address has to be read again';
  if (!isDeepStrictEqual(before, after)) return 'the books changed during the reading';
  return undefined;
}

function isMoving({ moving, mirrored }: AssetPosition): boolean {
  return moving !== 0n || mirrored.moving !== 0n;
}

/**
 * The first reading records the house's initial capital: everything beyond the amount that the
 * books explain.
 */
async function recordOpening(
  app: SolvencyWatcher,
  position: HousePosition,
  snapshot: HouseSnapshot,
  auditedIn: RowNumber,
): Promise<void> {
  const reason = 'opening position at the first reading';
  await transact(app, systemCall(auditedIn), async (tx) => {
    for (const asset of ASSETS) {
      const { ledgerNetwork, paymentProvider } = openingOf(position[asset], snapshot[asset]);
      const found = [
        ['ledger_network', ledgerNetwork],
        ...(asset === 'USDC' ? ([['payment_provider', paymentProvider]] as const) : []),
      ] as const;
      for (const [location, stroops] of found) {
        if (!(await insertCapital(tx, { location, asset, stroops, reason, isOpening: true })))
          continue;
        await audit(tx, {
          action: 'CAPITAL_RECORDED',
          resourceId: location,
          after: { location, asset },
          reason,
        });
      }
    }
  });
}

async function saveReading(
  app: SolvencyWatcher,
  reading: SolvencyReading,
  auditedIn: RowNumber,
): Promise<void> {
  const paused = await transact(app, systemCall(auditedIn), async (tx) => {
    const previous = await findNewestReading(tx);
    await insertReading(tx, reading);
    const breached = breachedTwice(previous, reading);
    if (breached === undefined) return undefined;
    // Every caller sees this reason, so it has no sums.
    const reason = `${breached.asset} assets differ from ${breached.asset} liabilities.`;
    if (!(await pausePayouts(tx, reason))) return undefined;
    await audit(tx, {
      action: 'SOLVENCY_BREACHED',
      resourceId: breached.asset,
      after: { asset: breached.asset, readings: 2 },
      reason,
      result: 'FAILURE',
    });
    return { asset: breached.asset, difference: stroopsText(breached.difference) };
  });
  if (paused !== undefined) app.log.error(paused, PAYOUTS_PAUSED);
  else if (reading.status === 'BREACH')
    app.log.error({ status: reading.status }, 'solvency breach found');
}

function breachedTwice(
  previous: SolvencyReading | undefined,
  reading: SolvencyReading,
): SolvencyGroup | undefined {
  const before = new Set(
    previous?.groups.filter(({ status }) => status === 'BREACH').map(({ asset }) => asset),
  );
  return reading.groups.find(({ asset, status }) => status === 'BREACH' && before.has(asset));
}
