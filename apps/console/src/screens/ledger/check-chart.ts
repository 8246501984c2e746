//! Sums the chart of accounts in the page, and compares the result with the service's.
import type { LedgerChart } from '@holdfast/sdk';
import { decimalText, unitsOf } from '#parts/money/decimal.ts';

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
    const total = unitsOf(sums.find((one) => one.currency === currency)?.total ?? '0');
    const parts = own.every(
      ({ available, reserved, total }) => unitsOf(available) + unitsOf(reserved) === unitsOf(total),
    );
    const isRight = sum === 0n && total === 0n && parts;
    const accounts = own.reduce((all, line) => all + line.accounts, 0);
    const count = accounts === 1 ? '1 account' : `${accounts} accounts`;
    const found = `${currency}: ${count}, total ${decimalText(sum)} ${currency}`;
    const texts = [
      ...(sum === 0n ? [] : [`${found}, expected 0.00 ${currency}.`]),
      ...(parts
        ? []
        : [
            `${currency}: available plus reserved does not equal the total in at least one account type.`,
          ]),
      ...(total === 0n
        ? []
        : [
            `${currency}: the server reports a total of ${decimalText(total)} ${currency}, expected 0.00 ${currency}.`,
          ]),
    ];
    const isUnused = isRight && accounts === 0;
    return { isRight, isUnused, texts: isRight ? [found] : texts };
  });
  return {
    isRight: checks.every(({ isRight }) => isRight),
    lines: checks.filter(({ isUnused }) => !isUnused).flatMap(({ texts }) => texts),
  };
}
