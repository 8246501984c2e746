//! A list of names and values, as cards and details show them.
import { Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';

type Rows = readonly (readonly [name: string, value: ReactNode])[];

interface Props {
  readonly rows: Rows;
}

export function Facts({ rows }: Props) {
  return (
    <dl className="hf-facts">
      {rows.map(([name, value], index) => (
        <Fragment key={keyOf(rows, index)}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm">
            {value ?? '–'}
          </Text>
        </Fragment>
      ))}
    </dl>
  );
}

/** Rows of one name differ by their order; a new row moves none of another name. */
function keyOf(rows: Rows, index: number): string {
  const name = rows[index]?.[0];
  const before = rows.slice(0, index).filter(([other]) => other === name).length;
  return `${name} ${before}`;
}
