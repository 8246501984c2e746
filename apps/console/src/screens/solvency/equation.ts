//! The equation of solvency as lines that a page shows, and a check that they add up.
import type { SolvencyGroup, SolvencyPart } from '@holdfast/sdk';
import { unitsOf } from '#parts/decimal.ts';

export interface Term {
  readonly label: string;
  readonly means: string;
  readonly sign: '+' | '−';
  readonly amount: string;
}

export interface Side {
  readonly title: string;
  readonly terms: readonly Term[];
  readonly total: string;
  /** Whether the terms give the total that the server told. */
  readonly addsUp: boolean;
}

// biome-ignore format: a table is the one thing exempt from the line limit.
export function liabilitiesOf({ liabilities: owed }: SolvencyGroup): Side {
  return sideOf('Owed', owed.total, [
    { label: 'Users', means: 'Balances of users, available and reserved', sign: '+', amount: owed.users },
    { label: 'Escrow', means: 'What lies in contracts for open orders', sign: '+', amount: owed.escrow },
    { label: 'Fees', means: 'Fees that marketplaces earned', sign: '+', amount: owed.fees },
    { label: 'Suspense', means: 'Money whose owner is not known yet', sign: '+', amount: owed.suspense },
    { label: 'Dust', means: 'Received below one cent, and kept for whose it is', sign: '+', amount: owed.dust },
    { label: 'Capital', means: 'What the house put in and has not taken out', sign: '+', amount: owed.capital },
    { label: 'Adjustments owed', means: 'Credits by hand that marketplaces have not paid in', sign: '−', amount: owed.adjustmentsOwed },
    { label: 'Written off', means: 'Losses that an operator wrote off', sign: '−', amount: owed.writtenOff },
    { label: 'Provider fees', means: 'Kept by the escrow provider, paid out of capital', sign: '−', amount: owed.providerFees },
  ]);
}

// biome-ignore format: a table is the one thing exempt from the line limit.
export function assetsOf({ assets: there }: SolvencyGroup): Side {
  return sideOf('There', there.total, [
    { label: 'Payment provider', means: 'Balance at the payment provider', sign: '+', amount: there.paymentProvider },
    { label: 'Treasury', means: "The treasury's address on the network", sign: '+', amount: there.treasury },
    { label: 'Platform', means: "The platform's address on the network", sign: '+', amount: there.platform },
    { label: 'Addresses', means: "Users' addresses on the network", sign: '+', amount: there.addresses },
    { label: 'Contracts', means: 'Escrow contracts on the network', sign: '+', amount: there.contracts },
  ]);
}

function sideOf(title: string, total: string, terms: readonly Term[]): Side {
  const sum = terms.reduce(
    (all, { sign, amount }) => all + (sign === '+' ? unitsOf(amount) : -unitsOf(amount)),
    0n,
  );
  return { title, total, terms, addsUp: sum === unitsOf(total) };
}

/** Whether every term is zero, so that there is nothing to show. */
export function isNothing({ terms, total, addsUp }: Side): boolean {
  return (
    addsUp && [total, ...terms.map(({ amount }) => amount)].every((one) => unitsOf(one) === 0n)
  );
}

/** What a marketplace owes. */
// biome-ignore format: a table is the one thing exempt from the line limit.
export function owedBy(part: SolvencyPart): Side {
  return sideOf('Owed', part.owed, [
    { label: 'Users', means: 'Balances of users, available and reserved', sign: '+', amount: part.users },
    { label: 'Escrow', means: 'What lies in contracts for open orders', sign: '+', amount: part.escrow },
    { label: 'Fees', means: 'Fees that the marketplace earned', sign: '+', amount: part.fees },
    { label: 'Suspense', means: 'Money whose owner is not known yet', sign: '+', amount: part.suspense },
    { label: 'Written off', means: 'Losses that an operator wrote off', sign: '−', amount: part.writtenOff },
  ]);
}

/** Where that came from: the same sum, because every posting has two sides. */
// biome-ignore format: a table is the one thing exempt from the line limit.
export function sourcesOf(part: SolvencyPart): Side {
  return sideOf('Came from', part.owed, [
    { label: 'Paid in', means: 'Through the payment provider', sign: '+', amount: part.paidIn },
    { label: 'Deposited', means: 'Over the ledger network', sign: '+', amount: part.deposited },
    { label: 'Adjustments owed', means: 'Credits by hand, not paid in yet', sign: '+', amount: part.adjustmentsOwed },
  ]);
}
