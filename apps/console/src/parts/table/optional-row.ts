//! A row of facts, only where it has a value.
import type { ReactNode } from 'react';

export type FactRow = readonly [name: string, value: ReactNode];

export function optionalRow(name: string, value: string | null | undefined): readonly FactRow[] {
  return value === null || value === undefined || value === '' ? [] : [[name, value]];
}
