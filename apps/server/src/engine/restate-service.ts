//! What both sides of Restate agree on: the service's name, its handler, and what it is asked.
import type { RowNumber } from '../platform/database.ts';
import type { Turn } from './drive.ts';

export const DRIVE = 'drive';

export interface DriveRequest extends Turn {
  readonly marketplace: RowNumber;
}

/** Keyed by resource. Each cell has a service of its own, should two share one Restate. */
export function objectName(cell: string): string {
  return `resource-${cell}`;
}
