//! Matches event types against the patterns of an endpoint.
import type { EventPattern } from '@holdfast/contract/records/webhook-records';
import { familyOf, TypeFilter } from '../../record/events/type-filter.ts';

const FAMILY = '.*';

/** Null when all types match. A pattern of a newer build is matched as it is stored. */
export function typesOf(patterns: readonly EventPattern[]): TypeFilter | null {
  if (patterns.includes('*')) return null;
  const isFamily = (pattern: string) => pattern.endsWith(FAMILY);
  return new TypeFilter(
    patterns.filter((pattern) => !isFamily(pattern)),
    patterns.filter(isFamily).map(familyOf),
  );
}
