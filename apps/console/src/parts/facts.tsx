//! A list of names and values, as cards and details show them.
import { Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';

interface Props {
  readonly rows: readonly (readonly [name: string, value: ReactNode])[];
}

export function Facts({ rows }: Props) {
  return (
    <dl className="hf-facts">
      {rows.map(([name, value]) => (
        <Fragment key={name}>
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
