//! Records that the house put money in or took it out: POST /solvency/capital.
import { refuse } from '@holdfast/contract/errors';
import { checkFreshCode } from '../../access/operators/check-fresh-code.ts';
import type { OperatorApp } from '../../access/operators/operator-auth.ts';
import { requireSecondAdmin } from '../../access/operators/require-second-admin.ts';
import type { Call } from '../../platform/call.ts';
import type { Config } from '../../platform/config/config.ts';
import { transact } from '../../platform/database/transact.ts';
import { readSignedStroops, stroopsText } from '../../providers/network/stroops.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findAuditMarketplace, findHouseMarketplace } from './house-marketplace.ts';
import { type Asset, type Capital, type CapitalLocation, insertCapital } from './house-position.ts';
import { HOUSE } from './house-snapshot.ts';

export interface CapitalRecorder extends OperatorApp {
  readonly config: Config;
}

export interface CapitalInput {
  readonly location: CapitalLocation;
  readonly asset: Asset;
  /** Up to seven decimal places, checked by the schema. */
  readonly amount: string;
  readonly reason: string;
  /** A code of the calling operator; the master key has none. */
  readonly totp?: string;
}

export async function recordCapital(
  app: CapitalRecorder,
  call: Call,
  { location, asset, amount, reason, totp }: CapitalInput,
): Promise<Capital> {
  if (location === 'payment_provider' && asset !== 'USDC')
    refuse(
      'INVALID_STATE',
      { resource: 'Capital', state: location, reason: 'the payment provider holds USDC only' },
      'The payment provider holds USDC only.',
    );
  const capital = { location, asset, reason, stroops: readSignedStroops(amount), isOpening: false };
  const takeCode = await checkFreshCode(app, call, {
    totp,
    action: 'recordCapital',
    request: { location, asset, amount, reason },
  });
  const auditedIn = await findAuditMarketplace(app.pool, app.config);
  const house = await findHouseMarketplace(app.pool, app.config);
  return transact(app, call, async (tx) => {
    await takeCode(tx);
    await requireSecondAdmin(tx);
    await insertCapital(tx, capital);
    await audit(tx, {
      action: 'CAPITAL_RECORDED',
      resourceId: location,
      marketplace: auditedIn ?? HOUSE,
      // The sum is left out of the log of any marketplace but the house.
      after:
        auditedIn === house
          ? { location, asset, amount: stroopsText(capital.stroops) }
          : { location, asset },
      reason,
    });
    return { ...capital, recordedAt: tx.now };
  });
}
