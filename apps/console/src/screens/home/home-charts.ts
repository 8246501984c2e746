//! Turns the days of Home into chart lines, one pair per currency in which money has moved.
import type { HomeInsights, VolumeDay } from '@holdfast/sdk';

const DAY_MS = 86_400_000;
const NOTHING = '0.00';

interface Lines {
  readonly days: readonly string[];
  readonly lines: readonly { readonly name: string; readonly amounts: readonly string[] }[];
}

export interface CurrencyCharts {
  readonly currency: string;
  readonly held: Lines;
  readonly volume: Lines;
}

type Days = Pick<HomeInsights, 'held' | 'volume' | 'takenAt' | 'days'>;
type Money = Pick<Days, 'held' | 'volume'>;

export function chartsOf(home: Days): readonly CurrencyCharts[] {
  const { held, volume } = home;
  const currencies = [...new Set([...held, ...volume].map(({ currency }) => currency))];
  const window = daysOf(home);
  return currencies
    .map((currency) =>
      chartsIn(currency, window, {
        held: held.filter((one) => one.currency === currency),
        volume: volume.filter((one) => one.currency === currency),
      }),
    )
    .filter((one) => hasMoney(one.held) || hasMoney(one.volume));
}

/** Every day of the window, oldest first. */
export function daysOf({ takenAt, days }: Pick<Days, 'takenAt' | 'days'>): readonly string[] {
  const lastMs = Date.parse(takenAt);
  return Array.from({ length: days }, (_, index) =>
    new Date(lastMs - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

function chartsIn(
  currency: string,
  window: readonly string[],
  { held, volume }: Money,
): CurrencyCharts {
  // The service returns only days on which something happened; the rest are days of zero.
  const days = [...new Set([...window, ...volume.map(({ day }) => day)])].sort();
  const byDay = new Map(volume.map((one) => [one.day, one]));
  const amountsOf = (read: (one: VolumeDay) => string) =>
    days.map((day) => {
      const one = byDay.get(day);
      return one === undefined ? NOTHING : read(one);
    });
  return {
    currency,
    held: {
      days: held.map(({ day }) => day),
      lines: [
        { name: 'In escrow', amounts: held.map(({ escrow }) => escrow) },
        { name: 'Reserved', amounts: held.map(({ reserved }) => reserved) },
      ],
    },
    volume: {
      days,
      lines: [
        { name: 'Funded', amounts: amountsOf(({ funded }) => funded.amount) },
        { name: 'Released', amounts: amountsOf(({ released }) => released.amount) },
        { name: 'Refunded', amounts: amountsOf(({ refunded }) => refunded.amount) },
        { name: 'Fees', amounts: amountsOf(({ fees }) => fees) },
      ],
    },
  };
}

function hasMoney({ lines }: Lines): boolean {
  return lines.some(({ amounts }) => amounts.some((amount) => /[1-9]/.test(amount)));
}
