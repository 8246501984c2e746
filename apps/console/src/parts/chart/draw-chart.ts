//! Draws the lines of a chart; loaded when the first one is shown.
import 'uplot/dist/uPlot.min.css';
import UPlot from 'uplot';
import { chartColor } from '#parts/chart/chart-colors.ts';
import { grouped } from '#parts/money/cents.ts';
import { dayWords } from '#parts/words/time-words.ts';

export interface ChartOptions {
  readonly names: readonly string[];
  readonly scheme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
  /** Receives the index of the hovered day; undefined for none. */
  readonly onPoint: (index: number | undefined) => void;
}

const DAY = 86_400;
const STEPS = [1, 2, 7, 14, 30, 91, 365].map((days) => days * DAY);
/** A single day stands in the middle of a week. */
const ROOM = 3 * DAY;

export function drawChart(
  container: HTMLElement,
  data: UPlot.AlignedData,
  options: ChartOptions,
): UPlot {
  return new UPlot(optionsOf(options), data, container);
}

function optionsOf({ names, scheme, width, height, onPoint }: ChartOptions): UPlot.Options {
  return {
    width,
    height,
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false },
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)] },
    axes: axesOf(scheme),
    scales: {
      x: { time: true, range: (_, first, last) => padded(first, last) },
      y: { range: (_, low, high) => [Math.min(0, low), high <= 0 ? 1 : high * 1.08] },
    },
    series: [{}, ...names.map((label, index) => lineOf(label, chartColor(scheme, index)))],
  };
}

function padded(first: number, last: number): [number, number] {
  const room = last - first < DAY ? ROOM : DAY / 4;
  return [first - room, last + room];
}

function axesOf(scheme: ChartOptions['scheme']): UPlot.Axis[] {
  const grid = { stroke: scheme === 'light' ? '#e9edf0' : '#2c3136', width: 1 };
  const axis = {
    stroke: scheme === 'light' ? '#50575e' : '#b4bbc2',
    font: '12px system-ui, sans-serif',
    grid,
    ticks: { ...grid, size: 4 },
  };
  return [
    {
      ...axis,
      grid: { show: false },
      space: 64,
      size: 28,
      incrs: STEPS,
      values: (_, splits) => splits.map((seconds) => dayWords(seconds * 1000)),
    },
    {
      ...axis,
      size: 62,
      space: 36,
      values: (_, splits) => splits.map((value) => grouped(`${value}`)),
    },
  ];
}

/** Dots only where there is something: a line of zeros needs none. */
function lineOf(label: string, stroke: string): UPlot.Series {
  const hasValue = ({ data }: UPlot, series: number): number[] =>
    [...(data[series] ?? [])].flatMap((value, index) => (value ? [index] : []));
  return {
    label,
    stroke,
    width: 2,
    fill: `${stroke}1c`,
    points: { show: true, size: 6, fill: stroke, filter: hasValue },
  };
}
