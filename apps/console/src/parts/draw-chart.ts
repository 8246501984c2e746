//! Draws the lines of a chart; loaded when the first one is shown.
import 'uplot/dist/uPlot.min.css';
import UPlot from 'uplot';

export interface ChartLook {
  readonly names: readonly string[];
  readonly scheme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
}

const COLORS = {
  light: ['#0b5c55', '#a15c00', '#5b3fa8', '#9c1f3d'],
  dark: ['#7fd6ca', '#f2bd62', '#b9a3f5', '#ff9db4'],
} as const;

export function drawChart(place: HTMLElement, data: UPlot.AlignedData, look: ChartLook): UPlot {
  return new UPlot(optionsOf(look), data, place);
}

function optionsOf({ names, scheme, width, height }: ChartLook): UPlot.Options {
  const ink = scheme === 'light' ? '#50575e' : '#b4bbc2';
  const grid = { stroke: scheme === 'light' ? '#e4e8eb' : '#2c3136', width: 1 };
  const axis = { stroke: ink, grid, ticks: grid };
  return {
    width,
    height,
    legend: { show: true, live: false },
    cursor: { drag: { x: false, y: false } },
    axes: [axis, { ...axis, size: 64 }],
    scales: { y: { range: (_, low, high) => [Math.min(0, low), high <= 0 ? 1 : high * 1.05] } },
    series: [
      {},
      ...names.map((label, index) => {
        const stroke = COLORS[scheme][index % COLORS[scheme].length] ?? ink;
        return { label, stroke, width: 2, fill: `${stroke}18`, points: { show: false } };
      }),
    ],
  };
}
