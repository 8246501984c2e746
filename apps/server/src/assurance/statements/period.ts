//! The period of a statement: from its first moment up to, and excluding, its end.
import { refuseField } from '@holdfast/contract/validation';
import { type Instant, readInstant } from '@holdfast/kernel/clock';

export interface PeriodQuery {
  readonly from?: string;
  readonly to?: string;
}

export interface Period {
  readonly from: Instant | null;
  readonly to: Instant;
}

/** Ends now unless a time is named; the future has no entries. */
export function readPeriod({ from, to }: PeriodQuery, now: Instant): Period {
  const period = { from: instantOf('from', from) ?? null, to: instantOf('to', to) ?? now + 1 };
  if (period.from !== null && period.from > period.to)
    refuseField('from', 'range', 'from must not be later than to');
  return period;
}

function instantOf(name: string, text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined;
  const instant = readInstant(text);
  return instant ?? refuseField(name, 'format', `${name} must be a valid date or time`);
}
