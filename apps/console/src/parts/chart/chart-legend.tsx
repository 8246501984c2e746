//! The legend of a chart: its lines, with their values on the selected day.
import { Group, Text, useComputedColorScheme } from '@mantine/core';
import { chartColor } from '#parts/chart/chart-colors.ts';
import { Amount } from '#parts/money/amount.tsx';

export interface ChartLine {
  readonly name: string;
  /** Amounts as the wire has them; drawn by their height, exact in legend and table. */
  readonly amounts: readonly string[];
}

interface Props {
  readonly unit: string;
  readonly days: readonly string[];
  readonly lines: readonly ChartLine[];
  /** The day whose figures are shown. */
  readonly at: number;
}

/** Hidden from screen readers: the table beside it has the same content. */
export function ChartLegend({ unit, days, lines, at }: Props) {
  const scheme = useComputedColorScheme('light');
  return (
    <Group gap="md" mt="xs" aria-hidden="true">
      <Text size="xs" c="dimmed" className="hf-amount">
        {days[at]}
      </Text>
      {lines.map(({ name, amounts }, index) => (
        <Text key={name} size="xs" component="span">
          <span className="hf-swatch" style={{ background: chartColor(scheme, index) }} /> {name}{' '}
          <Amount amount={amounts[at] ?? '0.00'} currency={unit} isStrong />
        </Text>
      ))}
    </Group>
  );
}
