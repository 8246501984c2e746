//! How many wallets may be created in advance now. Each one ties up XLM of the treasury, so a flood
//! of new users must not be able to tie up all of it.
import { type Instant, instantText } from '@holdfast/kernel/clock';
import { WALLET_STOCKING_STOPPED } from '../../platform/process/alarms.ts';
import type { Sponsor } from './sponsor-accounts.ts';

export interface StockingLimits {
  readonly HOLDFAST_WALLETS_PER_DAY: number | 'off';
  /** In whole XLM. */
  readonly HOLDFAST_TREASURY_XLM_FLOOR: number | 'off';
}

export interface LimitedStocker extends Sponsor {
  readonly config: StockingLimits;
}

const DAY_MS = 24 * 3600_000;
const STROOPS_PER_XLM = 10_000_000n;
/** Two reserves for the account and one for its trustline, of half an XLM each. */
const STROOPS_PER_WALLET = 15_000_000n;
/** An alarm that continues is logged again after this time; limits are not checked meanwhile. */
const STOP_MS = 300_000;

const stoppedUntil = new WeakMap<StockingLimits, Instant>();

export function isStockingStopped({ config, clock }: LimitedStocker): boolean {
  return clock.now() < (stoppedUntil.get(config) ?? 0);
}

/** At most as many as are missing. Fewer stop the stocking for a while, with an alarm. */
export async function allowedWallets(
  app: LimitedStocker,
  treasuryAddress: string,
  missing: number,
): Promise<number> {
  const { HOLDFAST_WALLETS_PER_DAY: perDay, HOLDFAST_TREASURY_XLM_FLOOR: floor } = app.config;
  if (perDay !== 'off') {
    const left = perDay - (await walletsOfDay(app));
    if (left < missing) return stop(app, Math.max(0, left), 'HOLDFAST_WALLETS_PER_DAY');
  }
  if (floor !== 'off') {
    const found = await app.network.account(treasuryAddress);
    // Without the network no account is created anyway.
    if (found.kind !== 'done' || found.value === null) return 0;
    const left = found.value.spendableXlm - BigInt(floor) * STROOPS_PER_XLM;
    if (left < BigInt(missing) * STROOPS_PER_WALLET)
      return stop(app, affordable(left, missing), 'HOLDFAST_TREASURY_XLM_FLOOR');
  }
  return missing;
}

function affordable(stroops: bigint, missing: number): number {
  let count = 0;
  while (count < missing && BigInt(count + 1) * STROOPS_PER_WALLET <= stroops) count += 1;
  return count;
}

function stop({ config, clock, log }: LimitedStocker, allowed: number, limit: string): number {
  stoppedUntil.set(config, clock.now() + STOP_MS);
  log.error({ limit, allowed }, WALLET_STOCKING_STOPPED);
  return allowed;
}

/** Wallets that users got in the last 24 hours, and those that were created for the stock since. */
async function walletsOfDay({ pool, clock }: LimitedStocker): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select work.count_wallets_since($1)::int
       + (select count(*) from pooled_wallet where created_at > $1)::int as count`,
    [instantText(clock.now() - DAY_MS)],
  );
  return rows[0]?.count ?? 0;
}
