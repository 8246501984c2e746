//! The solvency equation as lines for the page, and a check that they add up.
import type { SolvencyGroup, SolvencyPart } from '@holdfast/sdk';
import { unitsOf } from '#parts/money/decimal.ts';

export interface Term {
  readonly label: string;
  readonly description: string;
  readonly sign: '+' | '−';
  readonly amount: string;
}

export interface Side {
  readonly title: string;
  readonly terms: readonly Term[];
  readonly total: string;
  /** Whether the terms sum to the total that the server returned. */
  readonly addsUp: boolean;
}

// biome-ignore format: a table is the one thing exempt from the line limit.
export function liabilitiesOf({ liabilities: owed }: SolvencyGroup): Side {
  return sideOf('Liabilities', owed.total, [
    { label: 'Users', description: 'User balances, available and reserved', sign: '+', amount: owed.users },
    { label: 'Escrow', description: 'Funds in contracts of open orders', sign: '+', amount: owed.escrow },
    { label: 'Fees', description: 'Fees earned by marketplaces', sign: '+', amount: owed.fees },
    { label: 'Suspense', description: 'Funds with no known owner yet', sign: '+', amount: owed.suspense },
    { label: 'Amounts below one cent', description: 'Fractions of a cent received at user addresses, owed to users', sign: '+', amount: owed.dust },
    { label: 'Capital', description: 'Capital contributed by the platform, less capital withdrawn', sign: '+', amount: owed.capital },
    { label: 'Adjustments owed', description: 'Manual credits that marketplaces have not paid in', sign: '−', amount: owed.adjustmentsOwed },
    { label: 'Written off', description: 'Losses written off by operators', sign: '−', amount: owed.writtenOff },
    { label: 'Escrow provider fees', description: 'Charged by the escrow provider, paid from capital', sign: '−', amount: owed.providerFees },
    { label: 'Payment provider fees', description: 'Kept by the payment provider from pay-ins, borne by marketplaces', sign: '−', amount: owed.paymentFees },
    { label: 'Debts of users', description: 'Taken back from users after it was spent, and not repaid yet', sign: '−', amount: owed.debtsOwed },
  ]);
}

// biome-ignore format: a table is the one thing exempt from the line limit.
export function assetsOf({ assets: there }: SolvencyGroup): Side {
  return sideOf('Assets', there.total, [
    { label: 'Payment provider', description: 'Balance at the payment provider', sign: '+', amount: there.paymentProvider },
    { label: 'Treasury', description: 'Treasury address on the blockchain', sign: '+', amount: there.treasury },
    { label: 'Fee address', description: 'Blockchain address that receives order fees', sign: '+', amount: there.platform },
    { label: 'Addresses', description: 'User addresses on the blockchain', sign: '+', amount: there.addresses },
    { label: 'Contracts', description: 'Escrow contracts, as recorded in the books; reconciliation runs check them on the blockchain', sign: '+', amount: there.contracts },
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
  return sideOf('Liabilities', part.owed, [
    { label: 'Users', description: 'User balances, available and reserved', sign: '+', amount: part.users },
    { label: 'Escrow', description: 'Funds in contracts of open orders', sign: '+', amount: part.escrow },
    { label: 'Fees', description: 'Fees earned by the marketplace', sign: '+', amount: part.fees },
    { label: 'Suspense', description: 'Funds with no known owner yet', sign: '+', amount: part.suspense },
    { label: 'Written off', description: 'Losses written off by operators', sign: '−', amount: part.writtenOff },
    { label: 'Payment provider fees', description: 'Kept by the payment provider from pay-ins', sign: '−', amount: part.paymentFees },
    { label: 'Debts of users', description: 'Taken back from users after it was spent, and not repaid yet', sign: '−', amount: part.debtsOwed },
  ]);
}

/** Where that came from: the same sum, because every posting has two sides. */
// biome-ignore format: a table is the one thing exempt from the line limit.
export function sourcesOf(part: SolvencyPart): Side {
  return sideOf('Sources', part.owed, [
    { label: 'Payment provider, net', description: 'Pay-ins less payouts through the payment provider', sign: '+', amount: part.paidIn },
    { label: 'Blockchain, net', description: 'Deposits less withdrawals over the blockchain', sign: '+', amount: part.deposited },
    { label: 'Adjustments owed', description: 'Manual credits not paid in yet', sign: '+', amount: part.adjustmentsOwed },
  ]);
}
