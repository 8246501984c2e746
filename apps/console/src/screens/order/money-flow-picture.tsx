//! The money of an order as a picture: from the buyer, through escrow, to where it is now.
import type { OrderMoney } from '@holdfast/sdk';
import { grouped } from '#parts/cents.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { plotNumber } from '#parts/plot-value.ts';
import { type FlowBand, flowBands } from '#screens/order/money-flow.ts';

const WIDTH = 640;
const BAND_MAX = 96;
const BAND_MIN = 3;
const GAP = 34;
const LEFT = 130;
const RIGHT = 400;
const TOP = 28;

const TONES: Readonly<Record<FlowBand['tone'], string>> = {
  held: 'var(--hf-warn)',
  seller: 'var(--hf-good)',
  fee: 'var(--mantine-color-dimmed)',
  buyer: 'var(--mantine-color-anchor)',
};

/** Pixels, for which a number is right: the amounts beside them stay text. */
function heightOf({ perMille }: FlowBand): number {
  return Math.max(BAND_MIN, (plotNumber(perMille) * BAND_MAX) / 1000);
}

export function MoneyFlowPicture({ money }: { readonly money: OrderMoney }) {
  const bands = flowBands(money);
  if (bands.length === 0) {
    return (
      <EmptyState title="No money has moved yet">
        The picture begins when the buyer’s money is set aside for the order.
      </EmptyState>
    );
  }
  let fromY = TOP;
  let toY = TOP;
  const drawn = bands.map((band) => {
    const height = heightOf(band);
    const place = { band, height, fromY, toY };
    fromY += height;
    toY += height + GAP;
    return place;
  });
  const words = bands.map(({ name, amount }) => `${name} ${amount} ${money.currency}`).join(', ');
  const middle = (LEFT + RIGHT) / 2;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${Math.max(toY, fromY) + 8}`}
      width="100%"
      role="img"
      aria-label={`Where the money is: ${words}`}
      style={{ maxWidth: WIDTH }}
    >
      <text x={0} y={14} fontSize={13} fill="var(--mantine-color-text)" fontWeight={650}>
        Buyer · {grouped(money.amount)} {money.currency}
      </text>
      <rect x={LEFT - 12} y={TOP} width={8} height={fromY - TOP} fill={TONES.buyer} rx={2} />
      {drawn.map(({ band, height, fromY: y1, toY: y2 }) => (
        <g key={band.name}>
          <path
            d={`M${LEFT} ${y1} C${middle} ${y1} ${middle} ${y2} ${RIGHT} ${y2} V${y2 + height} C${middle} ${y2 + height} ${middle} ${y1 + height} ${LEFT} ${y1 + height} Z`}
            fill={TONES[band.tone]}
            opacity={0.35}
          />
          <rect x={RIGHT} y={y2} width={8} height={height} fill={TONES[band.tone]} rx={2} />
          <text
            x={RIGHT + 16}
            y={y2 + height / 2 + 4}
            fontSize={13}
            fill="var(--mantine-color-text)"
          >
            {band.name} · {grouped(band.amount)} {money.currency}
          </text>
        </g>
      ))}
    </svg>
  );
}
