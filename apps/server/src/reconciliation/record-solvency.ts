//! Takes a reading of solvency: a background job, once a minute. A difference that stands in two
//! readings in a row, and that nothing on its way explains, stops payouts.
import { isDeepStrictEqual } from 'node:util';
import { audit } from '../audit/audit-entry.ts';
import type { Config } from '../config.ts';
import { systemCall } from '../platform/call.ts';
import type { RowNumber } from '../platform/database.ts';
import { transact } from '../platform/transact.ts';
import { stroopsOfMinor, stroopsText } from '../providers/stroops.ts';
import { pausePayouts } from '../withdrawals/payouts-pause.ts';
import { ASSETS, type HousePosition, insertCapital } from './house-position.ts';
import { recordContractFees } from './record-contract-fees.ts';
import { findAuditMarketplace } from './run.ts';
import {
  HOUSE,
  type HouseLooker,
  type HouseSight,
  hasOpening,
  readHousePosition,
  sightHouse,
  sightInFlight,
} from './sight-house.ts';
import {
  countWallets,
  findNewestReading,
  insertReading,
  type SolvencyReading,
} from './solvency-reading.ts';
import { betterOf, openingOf, type SolvencyGroup, solvencyOf, worstOf } from './solvency-terms.ts';
import { walkAddresses } from './walk-addresses.ts';

export interface SolvencyWatcher extends HouseLooker {
  readonly config: Config;
}

const EVERY_MS = 60_000;
const DAY_MS = 86_400_000;

/** Any number of workers: who finds a reading that is young enough takes none. */
export async function recordSolvency(app: SolvencyWatcher): Promise<number> {
  const newest = await transact(app, systemCall(HOUSE), findNewestReading, 'read committed');
  if (newest !== undefined && newest.takenAt > app.clock.now() - EVERY_MS * 0.9) return 0;
  return (await takeReading(app)) === undefined ? 0 : 1;
}

/** Undefined when the outside did not answer: what is not known is no breach. */
export async function takeReading(app: SolvencyWatcher): Promise<SolvencyReading | undefined> {
  const auditedIn = await findAuditMarketplace(app.pool, app.config);
  // Nothing is owed to anybody yet.
  if (auditedIn === null) return undefined;
  const addressesRead = await walkAddresses(app, app.config.HOLDFAST_SOLVENCY_ADDRESSES);
  const takenAt = app.clock.now();
  const groups = await readGroups(app, auditedIn);
  if (groups === undefined) return undefined;
  const status = worstOf(groups.map((group) => group.status));
  const addressesKnown = await countWallets(app.pool);
  const reading = { takenAt, status, groups, addressesRead, addressesKnown };
  await keepReading(app, reading, auditedIn);
  return reading;
}

/** The books first, then the outside, then the books again: see `betterOf`. */
export async function readGroups(
  app: SolvencyWatcher,
  auditedIn: RowNumber,
): Promise<SolvencyGroup[] | undefined> {
  await recordContractFees(app);
  let before = await readHousePosition(app);
  const sighted = await sightHouse(app);
  if (sighted.kind !== 'done') return missed(app, sighted.reason);
  const windowMs = app.config.HOLDFAST_RECONCILIATION_DAYS * DAY_MS;
  const inFlight = await sightInFlight(app, before, sighted.value, windowMs);
  if (inFlight.kind !== 'done') return missed(app, inFlight.reason);
  let after = await readHousePosition(app);
  if (!hasOpening(before)) {
    // What the provider has done and the books have not, or had not, would count as ours for ever.
    if (inFlight.value !== 0n || !isDeepStrictEqual(before, after)) return undefined;
    if (!(await recordOpening(app, before, sighted.value, auditedIn))) return undefined;
    before = await readHousePosition(app);
    after = before;
  }
  const sight = {
    ...sighted.value,
    USDC: { ...sighted.value.USDC, inFlightAtProvider: inFlight.value },
  };
  const tolerance = stroopsOfMinor(app.config.HOLDFAST_SOLVENCY_TOLERANCE);
  return ASSETS.map((asset) =>
    betterOf(
      solvencyOf(asset, before[asset], sight[asset], tolerance),
      solvencyOf(asset, after[asset], sight[asset], tolerance),
    ),
  );
}

function missed(app: SolvencyWatcher, reason: string): undefined {
  app.log.warn({ reason }, 'miss solvency reading');
  return undefined;
}

/**
 * The first reading says what the house began with: whatever is there beyond what the books
 * explain. Only while nothing moves, and not before the treasury has been given its money.
 */
async function recordOpening(
  app: SolvencyWatcher,
  position: HousePosition,
  sight: HouseSight,
  auditedIn: RowNumber,
): Promise<boolean> {
  const isAtRest = ASSETS.every(
    (asset) => position[asset].moving === 0n && position[asset].mirrored.moving === 0n,
  );
  if (!sight.isReady || !isAtRest || sight.USDC.treasury === 0n) return false;
  const reason = 'found there at the first reading';
  await transact(app, systemCall(auditedIn), async (tx) => {
    for (const asset of ASSETS) {
      const { ledgerNetwork, paymentProvider } = openingOf(position[asset], sight[asset]);
      const found = [
        ['ledger_network', ledgerNetwork],
        ...(asset === 'USDC' ? ([['payment_provider', paymentProvider]] as const) : []),
      ] as const;
      for (const [place, stroops] of found) {
        if (!(await insertCapital(tx, { place, asset, stroops, reason, isOpening: true })))
          continue;
        await audit(tx, {
          action: 'CAPITAL_RECORDED',
          resourceId: place,
          after: { place, asset },
          reason,
        });
      }
    }
  });
  return true;
}

async function keepReading(
  app: SolvencyWatcher,
  reading: SolvencyReading,
  auditedIn: RowNumber,
): Promise<void> {
  const paused = await transact(app, systemCall(auditedIn), async (tx) => {
    const previous = await findNewestReading(tx);
    await insertReading(tx, reading);
    const breached = breachedTwice(previous, reading);
    if (breached === undefined) return undefined;
    // Every caller is told it, so it says no sums.
    const reason = `what is there in ${breached.asset} differs from what is owed`;
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
  if (paused !== undefined) app.log.error(paused, 'pause payouts');
  else if (reading.status === 'BREACH') app.log.error({ status: reading.status }, 'find breach');
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
