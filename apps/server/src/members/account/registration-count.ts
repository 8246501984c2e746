//! Counts registrations by the hour: the only SQL that writes registration_count. In the database,
//! since an hour outlives a process, and all processes share the limit.
import { refuse } from '@holdfast/contract/errors';
import { instantText } from '@holdfast/kernel/clock';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Tx } from '../../platform/database/transact.ts';
import { fingerprint } from '../../platform/fingerprint.ts';

export interface RegistrationLimits {
  readonly perAddress: number | 'off';
  readonly inAll: number | 'off';
}

const HOUR_SECONDS = 3600;
const HOUR_MS = HOUR_SECONDS * 1000;

/** Refuses what is over a limit; a refused registration counts against neither. */
export async function countRegistration(
  tx: Tx,
  from: string,
  { perAddress, inAll }: RegistrationLimits,
): Promise<void> {
  if (inAll !== 'off') await count(tx, 'all', inAll);
  if (perAddress !== 'off') await count(tx, fingerprint(from), perAddress);
}

async function count(tx: Tx, bucket: string, limit: number): Promise<void> {
  const hour = Math.floor(tx.now / HOUR_MS) * HOUR_MS;
  const [counted] = await tx.query<Row<'registration_count', 'count'>>(sql`
    insert into registration_count as known (marketplace_id, bucket, hour, count)
    values (${tx.marketplace}, ${bucket}, ${instantText(hour)}, 1)
    on conflict (marketplace_id, bucket, hour) do update set count = known.count + 1
    where known.count < ${limit} returning count`);
  if (counted === undefined) {
    const retryAfter = Math.ceil((hour + HOUR_MS - tx.now) / 1000);
    refuse('RATE_LIMITED', { limit, windowSeconds: HOUR_SECONDS, retryAfter });
  }
  if (counted.count === 1)
    await tx.query(sql`
      delete from registration_count
      where marketplace_id = ${tx.marketplace} and hour < ${instantText(hour)}`);
}
