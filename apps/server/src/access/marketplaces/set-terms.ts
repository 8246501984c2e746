//! Sets a new version of a marketplace's terms: PUT /marketplaces/{id}/terms. Earlier ones stay.
import { refuse } from '@holdfast/contract/errors';
import { refuseField } from '@holdfast/contract/validation';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { Money, minorText } from '@holdfast/kernel/money';
import type { Call } from '../../platform/call.ts';
import { read, type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { findMarketplace } from '../keys/api-key.ts';
import { refuseMasterKey } from '../operators/refuse-master-key.ts';
import { insertTerms, readTerms, type Terms } from './terms.ts';

/** What is left out stays as it is. */
export interface TermsInput extends Partial<Pick<Terms, 'payinFee' | 'suspendOnReversal'>> {
  /** An amount in dollars; "0.00" stops payouts at the first debt. */
  readonly debtLimit?: string;
  readonly reason: string;
}

export interface MarketplaceTerms extends Terms {
  readonly marketplaceId: MarketplaceId;
}

export async function setTerms(
  app: Transactor,
  call: Call,
  marketplaceId: MarketplaceId,
  input: TermsInput,
): Promise<MarketplaceTerms> {
  const { debtLimit, ...rest } = input;
  const limit = debtLimit === undefined ? {} : { debtLimit: readLimit(debtLimit) };
  return transact(app, call, async (tx) => {
    const { number } = await getMarketplaceRow(tx, marketplaceId);
    const before = await readTerms(tx, number);
    if (limit.debtLimit !== undefined && limit.debtLimit > before.debtLimit)
      await refuseMasterKey(tx);
    const version = before.version + 1;
    const terms = { ...before, ...rest, ...limit, version, setBy: tx.actor.id, setAt: tx.now };
    await insertTerms(tx, number, terms);
    await audit(tx, {
      action: 'MARKETPLACE_TERMS_SET',
      resourceId: marketplaceId,
      marketplace: number,
      before: settled(before),
      after: settled(terms),
      reason: input.reason,
    });
    return { ...terms, marketplaceId };
  });
}

/** GET /marketplaces/{id}/terms. */
export async function getTerms(
  app: Transactor,
  call: Call,
  marketplaceId: MarketplaceId,
): Promise<MarketplaceTerms> {
  return read(app, call, async (tx) => {
    const { number } = await getMarketplaceRow(tx, marketplaceId);
    return { ...(await readTerms(tx, number)), marketplaceId };
  });
}

async function getMarketplaceRow(tx: Tx, marketplaceId: MarketplaceId) {
  return (
    (await findMarketplace(tx, marketplaceId)) ?? refuse('MARKETPLACE_NOT_FOUND', { marketplaceId })
  );
}

function readLimit(text: string): bigint {
  const money = Money.readOrZero(text, 'USD');
  if (money === undefined) refuseField('debtLimit', 'format', 'debtLimit must be an amount');
  return money.minor;
}

function settled({ version, payinFee, suspendOnReversal, debtLimit }: Terms) {
  return { version, payinFee, suspendOnReversal, debtLimit: minorText(debtLimit) };
}
