//! Draws a panel as SVG: one line for each series, over one range of time for all panels.
import type { Panel } from '../telemetry/dashboards.ts';

export interface Series {
  readonly name: string;
  /** Seconds since 1970, and the value. */
  readonly points: readonly (readonly [number, number])[];
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

const SIZE = { width: 620, height: 240, left: 58, right: 12, top: 28, bottom: 70 };
const COLORS = [
  '#2563eb',
  '#dc2626',
  '#059669',
  '#d97706',
  '#7c3aed',
  '#0891b2',
  '#be185d',
  '#4d7c0f',
];
const LEGEND_MAX = 8;

export function chartOf(panel: Panel, series: readonly Series[], range: Range): string {
  const top = Math.max(0, ...series.flatMap(({ points }) => points.map(([, value]) => value)));
  const max = top === 0 ? 1 : top * 1.05;
  const { width, height, left, right, bottom } = SIZE;
  const x = (at: number) =>
    left + ((at - range.from) / (range.to - range.from)) * (width - left - right);
  const y = (value: number) => height - bottom - (value / max) * (height - bottom - SIZE.top);
  const lines = series.map(({ points }, at) => {
    const parts = piecesOf(points).map((piece) =>
      piece
        .map(
          ([time, value], index) =>
            `${index === 0 ? 'M' : 'L'}${x(time).toFixed(1)},${y(value).toFixed(1)}`,
        )
        .join(''),
    );
    return `<path d="${parts.join('')}" fill="none" stroke="${colorOf(at)}" stroke-width="1.6"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="11">
<rect width="${width}" height="${height}" fill="#fff" stroke="#ddd"/>
<text x="10" y="17" font-weight="bold" font-size="12">${escaped(panel.title)} (${panel.unit})</text>
${axes(x, y, max, range)}${lines.join('')}${legend(series)}</svg>`;
}

/** Where there was no sample, there is no line. */
function piecesOf(points: Series['points']): (readonly [number, number])[][] {
  const pieces: (readonly [number, number])[][] = [];
  const step = Math.min(...points.slice(1).map(([at], index) => at - (points[index]?.[0] ?? 0)));
  for (const point of points) {
    const last = pieces.at(-1);
    if (last === undefined || point[0] - (last.at(-1)?.[0] ?? 0) > step * 1.5) pieces.push([point]);
    else last.push(point);
  }
  return pieces;
}

function axes(x: (at: number) => number, y: (value: number) => number, max: number, range: Range) {
  const { width, right, left } = SIZE;
  const rows = [0, 0.5, 1].map((share) => {
    const at = y(max * share).toFixed(1);
    return `<line x1="${left}" x2="${width - right}" y1="${at}" y2="${at}" stroke="#eee"/><text x="${left - 5}" y="${at}" text-anchor="end" fill="#666">${short(max * share)}</text>`;
  });
  const columns = [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => {
    const seconds = (range.to - range.from) * share;
    const at = x(range.from + seconds).toFixed(1);
    return `<text x="${at}" y="${SIZE.height - SIZE.bottom + 14}" text-anchor="middle" fill="#666">${Math.round(seconds)} s</text>`;
  });
  return [...rows, ...columns].join('');
}

function legend(series: readonly Series[]): string {
  return series
    .slice(0, LEGEND_MAX)
    .map(({ name }, at) => {
      const [left, top] = [10 + (at % 3) * 205, SIZE.height - 40 + Math.floor(at / 3) * 14];
      return `<rect x="${left}" y="${top - 8}" width="10" height="8" fill="${colorOf(at)}"/><text x="${left + 14}" y="${top}">${escaped(name.slice(0, 32))}</text>`;
    })
    .join('');
}

function colorOf(at: number): string {
  return COLORS[at % COLORS.length] as string;
}

function short(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(0)} M`;
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(2)));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
