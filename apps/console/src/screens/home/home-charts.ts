//! The days of Home as lines of charts, one pair per currency in which money has moved.
import type { HomeInsights } from '@holdfast/sdk';

interface Lines {
  readonly days: readonly string[];
  readonly lines: readonly { readonly name: string; readonly amounts: readonly string[] }[];
}

export interface CurrencyCharts {
  readonly currency: string;
  readonly held: Lines;
  readonly volume: Lines;
}

type Days = Pick<HomeInsights, 'held' | 'volume'>;

export function chartsOf({ held, volume }: Days): readonly CurrencyCharts[] {
  const currencies = [...new Set([...held, ...volume].map(({ currency }) => currency))];
  return currencies
    .map((currency) =>
      chartsIn(currency, {
        held: held.filter((one) => one.currency === currency),
        volume: volume.filter((one) => one.currency === currency),
      }),
    )
    .filter((one) => hasMoney(one.held) || hasMoney(one.volume));
}

function chartsIn(currency: string, { held, volume }: Days): CurrencyCharts {
  return {
    currency,
    held: {
      days: held.map(({ day }) => day),
      lines: [
        { name: 'In escrow', amounts: held.map(({ escrow }) => escrow) },
        { name: 'Set aside', amounts: held.map(({ reserved }) => reserved) },
      ],
    },
    volume: {
      days: volume.map(({ day }) => day),
      lines: [
        { name: 'Funded', amounts: volume.map(({ funded }) => funded.amount) },
        { name: 'Released', amounts: volume.map(({ released }) => released.amount) },
        { name: 'Refunded', amounts: volume.map(({ refunded }) => refunded.amount) },
        { name: 'Fees', amounts: volume.map(({ fees }) => fees) },
      ],
    },
  };
}

function hasMoney({ lines }: Lines): boolean {
  return lines.some(({ amounts }) => amounts.some((amount) => /[1-9]/.test(amount)));
}
