//! Forgets the months of the log that are older than the retention: a background job.
import { instantText } from '@holdfast/kernel/clock';
import type { Transactor } from '../platform/transact.ts';

const DAY_MS = 86_400_000;

export interface Forgetful extends Pick<Transactor, 'pool' | 'clock'> {
  readonly config: { readonly HOLDFAST_EVENT_RETENTION_DAYS: number };
}

export async function forgetEvents({ pool, clock, config }: Forgetful): Promise<number> {
  const keptSince = instantText(clock.now() - config.HOLDFAST_EVENT_RETENTION_DAYS * DAY_MS);
  const {
    rows: [dropped],
  } = await pool.query<{ count: number }>('select drop_event_months($1) as count', [keptSince]);
  return dropped?.count ?? 0;
}
