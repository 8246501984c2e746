//! Sums the chart of accounts on the page, and compares with what the service says.
import type { LedgerChart } from '@holdfast/sdk';
import { decimalText, unitsOf } from '#parts/decimal.ts';

export interface ChartCheck {
  readonly isRight: boolean;
  readonly lines: readonly string[];
}

/** Right when, in every currency, the lines sum to zero and the service's own sum says so too. */
export function checkChart({ lines, sums }: LedgerChart): ChartCheck {
  const currencies = [...new Set([...lines, ...sums].map(({ currency }) => currency))];
  const checks = currencies.map((currency) => {
    const own = lines.filter((line) => line.currency === currency);
    const sum = own.reduce((all, { total }) => all + unitsOf(total), 0n);
    const told = unitsOf(sums.find((one) => one.currency === currency)?.total ?? '0');
    const parts = own.every(
      ({ available, reserved, total }) => unitsOf(available) + unitsOf(reserved) === unitsOf(total),
    );
    const isRight = sum === 0n && told === 0n && parts;
    const accounts = own.reduce((all, line) => all + line.accounts, 0);
    const text = `${currency}: ${accounts} accounts sum to ${decimalText(sum)}`;
    const isUnused = isRight && accounts === 0;
    return { isRight, isUnused, text: isRight ? text : `${text}; they must sum to 0.00` };
  });
  return {
    isRight: checks.every(({ isRight }) => isRight),
    lines: checks.filter(({ isUnused }) => !isUnused).map(({ text }) => text),
  };
}
