//! A small chart of days: lines over time, with the figures as a table for whoever cannot see it.
import { useComputedColorScheme, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useMemo, useRef } from 'react';
import type UPlot from 'uplot';
import { plotValue } from '#parts/plot-value.ts';

export interface ChartLine {
  readonly name: string;
  /** Amounts as the wire has them; drawn by their height, told exactly in the table. */
  readonly amounts: readonly string[];
}

interface Props {
  readonly title: string;
  readonly unit: string;
  readonly days: readonly string[];
  readonly lines: readonly ChartLine[];
  readonly height?: number;
}

export function MiniChart({ title, unit, days, lines, height = 180 }: Props) {
  const { ref, width } = useElementSize();
  const at = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  const data = useMemo<UPlot.AlignedData>(
    () => [
      days.map((day) => Date.parse(day) / 1000),
      ...lines.map(({ amounts }) => amounts.map(plotValue)),
    ],
    [days, lines],
  );
  const names = lines.map(({ name }) => name).join('\n');
  useEffect(() => {
    const place = at.current;
    if (place === null || width === 0) return;
    let plot: UPlot | undefined;
    let isGone = false;
    // The page can be read before its pictures are there.
    void import('#parts/draw-chart.ts').then(({ drawChart }) => {
      if (!isGone)
        plot = drawChart(place, data, { names: names.split('\n'), scheme, width, height });
    });
    return () => {
      isGone = true;
      plot?.destroy();
    };
  }, [data, names, scheme, width, height]);
  return (
    <figure ref={ref} aria-label={title} style={{ margin: 0, minHeight: height }}>
      <div ref={at} aria-hidden="true" />
      <VisuallyHidden>
        <table>
          <caption>{`${title}, ${unit}`}</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {lines.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day, index) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                {lines.map(({ name, amounts }) => (
                  <td key={name}>{amounts[index]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}
