//! Tells that the house put money in or took it out: POST /solvency/capital.
import { refuse } from '@holdfast/contract/errors';
import { audit } from '../audit/audit-entry.ts';
import type { Config } from '../config.ts';
import type { Call } from '../platform/call.ts';
import { type Transactor, transact } from '../platform/transact.ts';
import { readSignedStroops, stroopsText } from '../providers/stroops.ts';
import { type Asset, type Capital, insertCapital, type Place } from './house-position.ts';
import { findAuditMarketplace, findHouseMarketplace } from './run.ts';
import { HOUSE } from './sight-house.ts';

export interface CapitalRecorder extends Transactor {
  readonly config: Config;
}

export interface CapitalWish {
  readonly place: Place;
  readonly asset: Asset;
  /** Up to seven places; the schema has checked it. */
  readonly amount: string;
  readonly reason: string;
}

export async function recordCapital(
  app: CapitalRecorder,
  call: Call,
  { place, asset, amount, reason }: CapitalWish,
): Promise<Capital> {
  if (place === 'payment_provider' && asset !== 'USDC')
    refuse('INVALID_STATE', {
      resource: 'Capital',
      state: place,
      reason: 'the payment provider holds dollars only',
    });
  const capital = { place, asset, reason, stroops: readSignedStroops(amount), isOpening: false };
  const auditedIn = await findAuditMarketplace(app.pool, app.config);
  const house = await findHouseMarketplace(app.pool, app.config);
  return transact(app, call, async (tx) => {
    await insertCapital(tx, capital);
    await audit(tx, {
      action: 'CAPITAL_RECORDED',
      resourceId: place,
      marketplace: auditedIn ?? HOUSE,
      // Where strangers read it the sum stays out.
      after:
        auditedIn === house
          ? { place, asset, amount: stroopsText(capital.stroops) }
          : { place, asset },
      reason,
    });
    return { ...capital, recordedAt: tx.now };
  });
}
