//! The names that both sides of Restate share: the service, its handler and its parameter.
import type { RowNumber } from '../platform/database/database.ts';
import type { OperationRef } from './attempt.ts';

export const HANDLER = 'execute';

export interface ExecutionRequest extends OperationRef {
  readonly marketplace: RowNumber;
}

/** Keyed by resource. Each cell has its own service, in case two cells share one Restate. */
export function objectName(cell: string): string {
  return `resource-${cell}`;
}

export const MARK_HANDLER = 'advance';
export const MARK_KEY = 'mark';

/** The object that has the mark outside the database. */
export function markName(cell: string): string {
  return `mark-${cell}`;
}
