//! A small chart of days: lines over time, with the figures as a table for screen readers.
import { useComputedColorScheme, VisuallyHidden } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useMemo, useRef, useState } from 'react';
import type UPlot from 'uplot';
import { ChartLegend, type ChartLine } from '#parts/chart/chart-legend.tsx';
import { plotValue } from '#parts/chart/plot-value.ts';

interface Props {
  readonly title: string;
  readonly unit: string;
  readonly days: readonly string[];
  readonly lines: readonly ChartLine[];
  readonly height?: number;
}

export function MiniChart({ title, unit, days, lines, height = 200 }: Props) {
  const [pointedAt, setPointedAt] = useState<number>();
  return (
    <figure aria-label={title} style={{ margin: 0 }}>
      <Plot days={days} lines={lines} height={height} onPoint={setPointedAt} />
      <ChartLegend {...{ unit, days, lines }} at={pointedAt ?? days.length - 1} />
      <Figures {...{ title, unit, days, lines }} />
    </figure>
  );
}

interface PlotProps {
  readonly days: readonly string[];
  readonly lines: readonly ChartLine[];
  readonly height: number;
  readonly onPoint: (index: number | undefined) => void;
}

function Plot({ days, lines, height, onPoint }: PlotProps) {
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
    const container = at.current;
    if (container === null || width === 0) return;
    let plot: UPlot | undefined;
    let isGone = false;
    const options = { names: names.split('\n'), scheme, width, height, onPoint };
    // The page can be read before its pictures are there.
    void import('#parts/chart/draw-chart.ts').then(({ drawChart }) => {
      if (!isGone) plot = drawChart(container, data, options);
    });
    return () => {
      isGone = true;
      plot?.destroy();
    };
  }, [data, names, scheme, width, height, onPoint]);
  return (
    <div ref={ref} style={{ minHeight: height }}>
      <div ref={at} aria-hidden="true" />
    </div>
  );
}

function Figures({ title, unit, days, lines }: Omit<Props, 'height'>) {
  return (
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
  );
}
