//! Deposits to one address, read at once: for callers that cannot wait for the feed.
import type { Transactor } from '../../platform/database/transact.ts';
import type { LedgerNetwork, NetworkPayment } from '../../providers/network/ledger-network.ts';
import { done, type Outcome } from '../../providers/outcome.ts';
import { creditPayments } from './crediting.ts';
import { knownDeposits, nameOf } from './deposit.ts';
import { type ExternalPayment, findExternalPayments } from './external-payments.ts';

export interface AddressDeps extends Transactor {
  readonly network: LedgerNetwork;
}

const PAGE_SIZE = 200;
/** Newest first: older payments have long been in the feed. */
const PAGES_MAX = 10;

/** Payments to the address from external payers that are not credited yet. Changes nothing. */
export async function findUncredited(
  app: AddressDeps,
  address: string,
  pagesMax: number = PAGES_MAX,
): Promise<Outcome<ExternalPayment[]>> {
  const uncredited: ExternalPayment[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < pagesMax; pages += 1) {
    const page = await app.network.payments(address, {
      order: 'desc',
      limit: PAGE_SIZE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (page.kind !== 'done') return page;
    uncredited.push(...(await uncreditedAmong(app, address, page.value)));
    cursor = page.value.at(-1)?.cursor;
    if (cursor === undefined || page.value.length < PAGE_SIZE) break;
  }
  return done(uncredited);
}

async function uncreditedAmong(
  app: AddressDeps,
  address: string,
  payments: readonly NetworkPayment[],
): Promise<ExternalPayment[]> {
  const incoming = payments.filter(({ to }) => to === address);
  const external = await findExternalPayments(app, incoming);
  const known = await knownDeposits(app.pool, external);
  return external.filter((payment) => !known.has(nameOf(payment)));
}

/** Credits them. Returns how many were new. */
export async function creditDepositsOf(
  app: AddressDeps,
  address: string,
  requestId?: string,
): Promise<Outcome<number>> {
  const found = await findUncredited(app, address);
  if (found.kind !== 'done') return found;
  return done(await creditPayments(app, found.value, requestId));
}
