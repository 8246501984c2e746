//! Deposits to one address, now: for whoever cannot wait until the feed has come to them.
import type { Transactor } from '../platform/transact.ts';
import type { LedgerNetwork, NetworkPayment } from '../providers/ledger-network.ts';
import { done, type Outcome } from '../providers/outcome.ts';
import { creditPayments } from './crediting.ts';
import { knownDeposits, nameOf } from './deposit.ts';
import { findStrangersPayments, type StrangersPayment } from './strangers-payments.ts';

export interface AddressLooker extends Transactor {
  readonly network: LedgerNetwork;
}

const PAGE_SIZE = 200;
/** Newest first: what is older than so much has been in the feed long ago. */
const PAGES_MAX = 10;

/** What strangers paid to the address and nobody has credited yet. Changes nothing. */
export async function findUncredited(
  app: AddressLooker,
  address: string,
  pagesMax: number = PAGES_MAX,
): Promise<Outcome<StrangersPayment[]>> {
  const uncredited: StrangersPayment[] = [];
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
  app: AddressLooker,
  address: string,
  payments: readonly NetworkPayment[],
): Promise<StrangersPayment[]> {
  const incoming = payments.filter(({ to }) => to === address);
  const strangers = await findStrangersPayments(app, incoming);
  const known = await knownDeposits(app.pool, strangers);
  return strangers.filter((payment) => !known.has(nameOf(payment)));
}

/** Credits them. Answers how many were new. */
export async function creditDepositsOf(
  app: AddressLooker,
  address: string,
  requestId?: string,
): Promise<Outcome<number>> {
  const found = await findUncredited(app, address);
  if (found.kind !== 'done') return found;
  return done(await creditPayments(app, found.value, requestId));
}
