//! The period of a statement: from its first moment to the first that does not count any more.
import { refuse } from '@holdfast/contract/errors';
import { type Instant, readInstant } from '@holdfast/kernel/clock';

export interface PeriodQuery {
  readonly from?: string;
  readonly to?: string;
}

export interface Period {
  readonly from: Instant | null;
  readonly to: Instant;
}

/** Until now unless a time is named; what lies ahead has not happened. */
export function readPeriod({ from, to }: PeriodQuery, now: Instant): Period {
  const period = { from: instantOf('from', from) ?? null, to: instantOf('to', to) ?? now + 1 };
  if (period.from !== null && period.from > period.to)
    refuse('VALIDATION_ERROR', { validationErrors: ['from must not be later than to'] });
  return period;
}

function instantOf(name: string, text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined;
  const instant = readInstant(text);
  return instant ?? refuse('VALIDATION_ERROR', { validationErrors: [`${name} names no instant`] });
}
