//! A row of facts, only where there is something to tell.
import type { ReactNode } from 'react';

export type FactRow = readonly [name: string, value: ReactNode];

export function told(name: string, value: string | null | undefined): readonly FactRow[] {
  return value === null || value === undefined || value === '' ? [] : [[name, value]];
}
