//! The money of an order as a picture: from the buyer, through escrow, to where it is now.
import type { OrderMoney } from '@holdfast/sdk';
import { plotNumber } from '#parts/chart/plot-value.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { grouped } from '#parts/money/cents.ts';
import { type FlowBand, flowBands } from '#screens/order/money-flow.ts';

const WIDTH = 380;
const BAND_MAX = 110;
const BAND_MIN = 3;
/** Two lines of words fit beside the thinnest band. */
const SLOT_MIN = 42;
const GAP = 8;
const LEFT = 10;
const RIGHT = 190;
const BAR = 8;
const TOP = 46;

const TONES: Readonly<Record<FlowBand['tone'], string>> = {
  held: 'var(--hf-warn)',
  seller: 'var(--hf-good)',
  fee: 'var(--mantine-color-dimmed)',
  buyer: 'var(--hf-buyer)',
};

interface BandLayout {
  readonly band: FlowBand;
  readonly height: number;
  readonly fromY: number;
  readonly toY: number;
}

export function MoneyFlowPicture({ money }: { readonly money: OrderMoney }) {
  const bands = flowBands(money);
  if (bands.length === 0) {
    return (
      <EmptyState title="No funds in this order">
        The chart appears while funds are reserved for the order, and after they are paid into
        escrow.
      </EmptyState>
    );
  }
  const { layouts, fromEnd, toEnd } = layOut(bands);
  const words = bands.map(({ name, amount }) => `${name} ${amount} ${money.currency}`).join(', ');
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${Math.max(fromEnd, toEnd)}`}
      width="100%"
      role="img"
      aria-label={`Money flow: ${words}`}
      style={{ maxWidth: WIDTH * 1.15, display: 'block' }}
    >
      <Label x={0} y={14} name="From buyer" amount={money.amount} currency={money.currency} />
      <rect x={0} y={TOP} width={BAR} height={fromEnd - TOP} fill={TONES.buyer} rx={2} />
      {layouts.map((layout) => (
        <Band key={layout.band.name} layout={layout} currency={money.currency} />
      ))}
    </svg>
  );
}

/** Pixels, for which a number is right: the amounts beside them stay text. */
function heightOf({ perMille }: FlowBand): number {
  return Math.max(BAND_MIN, (plotNumber(perMille) * BAND_MAX) / 1000);
}

function layOut(bands: readonly FlowBand[]) {
  let fromY = TOP;
  let toY = TOP;
  const layouts = bands.map((band): BandLayout => {
    const height = heightOf(band);
    const slot = Math.max(height, SLOT_MIN);
    const layout = { band, height, fromY, toY: toY + (slot - height) / 2 };
    fromY += height;
    toY += slot + GAP;
    return layout;
  });
  return { layouts: layouts, fromEnd: fromY, toEnd: toY };
}

function Band({ layout, currency }: { readonly layout: BandLayout; readonly currency: string }) {
  const { band, height, fromY, toY } = layout;
  const middle = (LEFT + RIGHT) / 2;
  const there = `M${LEFT} ${fromY} C${middle} ${fromY} ${middle} ${toY} ${RIGHT} ${toY}`;
  const back = `V${toY + height} C${middle} ${toY + height} ${middle} ${fromY + height} ${LEFT} ${fromY + height} Z`;
  return (
    <g>
      <path d={`${there} ${back}`} fill={TONES[band.tone]} opacity={0.28} />
      <rect x={RIGHT} y={toY} width={BAR} height={height} fill={TONES[band.tone]} rx={2} />
      <Label
        x={RIGHT + BAR + 8}
        y={toY + height / 2 - 4}
        name={band.name}
        amount={band.amount}
        currency={currency}
      />
    </g>
  );
}

interface LabelProps {
  readonly x: number;
  readonly y: number;
  readonly name: string;
  readonly amount: string;
  readonly currency: string;
}

function Label({ x, y, name, amount, currency }: LabelProps) {
  return (
    <>
      <text x={x} y={y} fontSize={12} fill="var(--mantine-color-dimmed)">
        {name}
      </text>
      <text x={x} y={y + 17} fontSize={13} fontWeight={650} fill="var(--mantine-color-text)">
        {grouped(amount)} {currency}
      </text>
    </>
  );
}
