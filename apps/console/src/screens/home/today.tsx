//! Today beside yesterday, one tile per figure, for every currency in which money has moved.
import type { HomeInsights, VolumeDay } from '@holdfast/sdk';
import { Card, SimpleGrid, Text } from '@mantine/core';
import { Amount } from '#parts/money/amount.tsx';
import { daysOf } from '#screens/home/home-charts.ts';

const FIGURES: readonly (readonly [name: string, read: (day: VolumeDay) => string])[] = [
  ['Paid in', ({ paidIn }) => paidIn],
  ['Escrow funded', ({ funded }) => funded.amount],
  ['Released to sellers', ({ released }) => released.amount],
  ['Fees', ({ fees }) => fees],
  ['Paid out', ({ paidOut }) => paidOut],
];

export function Today({ home }: { readonly home: HomeInsights }) {
  const [yesterday, today] = daysOf({ ...home, days: 2 });
  const currencies = [...new Set(home.volume.map(({ currency }) => currency))];
  const on = (day: string | undefined, currency: string) =>
    home.volume.find((one) => one.day === day && one.currency === currency);
  return currencies.map((currency) => (
    <SimpleGrid
      key={currency}
      cols={{ base: 2, sm: 3, lg: 5 }}
      component="section"
      aria-label={`Today, ${currency}`}
    >
      {FIGURES.map(([name, read]) => (
        <Tile
          key={name}
          name={name}
          currency={currency}
          today={read(on(today, currency) ?? NOTHING)}
          yesterday={read(on(yesterday, currency) ?? NOTHING)}
        />
      ))}
    </SimpleGrid>
  ));
}

const none = { count: 0, amount: '0.00' };
const NOTHING: VolumeDay = {
  day: '',
  currency: 'USD',
  created: none,
  funded: none,
  released: none,
  refunded: none,
  fees: '0.00',
  paidIn: '0.00',
  paidOut: '0.00',
};

interface TileProps {
  readonly name: string;
  readonly currency: string;
  readonly today: string;
  readonly yesterday: string;
}

function Tile({ name, currency, today, yesterday }: TileProps) {
  return (
    <Card withBorder padding="sm">
      <Text size="sm" c="dimmed">
        {name} today
      </Text>
      <Text fz={{ base: 15, sm: 20 }} lh={1.4}>
        <Amount amount={today} currency={currency} isStrong />
      </Text>
      <Text size="xs" c="dimmed">
        Yesterday <Amount amount={yesterday} currency={currency} />
      </Text>
    </Card>
  );
}
