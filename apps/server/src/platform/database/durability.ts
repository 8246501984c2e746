//! What still has an acknowledged write when the server of the database is lost.
import type pg from 'pg';
import type { Config } from '../config/config.ts';

/** A restore from the archive loses at most this. */
const ARCHIVE_SECONDS_MAX = 30;

export interface DurabilityFacts {
  /** The role that looks for standbys, and whether it can see them. */
  readonly reader: string;
  readonly can_read: boolean;
  readonly sync_standbys: number;
  readonly archive_mode: string;
  readonly has_archiver: boolean;
  readonly archive_seconds: number;
}

/** Why the database does not have what HOLDFAST_DURABILITY demands, and what to do about it. */
export async function findDurabilityFaults(pool: pg.Pool, config: Config): Promise<string[]> {
  const { rows } = await pool.query<DurabilityFacts>(`
    select reader, can_read, sync_standbys, current_setting('archive_mode') as archive_mode,
      current_setting('archive_command') not in ('', '(disabled)')
        or coalesce(current_setting('archive_library', true), '') <> '' as has_archiver,
      (select setting::int from pg_settings where name = 'archive_timeout') as archive_seconds
    from work.durability()`);
  return checkDurability(config.HOLDFAST_DURABILITY, rows[0] as DurabilityFacts);
}

export function checkDurability(
  wanted: Config['HOLDFAST_DURABILITY'],
  facts: DurabilityFacts,
): string[] {
  if (wanted === 'none') return [];
  return wanted === 'standby' ? standbyFaults(facts) : archiveFaults(facts);
}

function standbyFaults({ reader, can_read: canRead, sync_standbys: count }: DurabilityFacts) {
  if (count > 0) return [];
  if (!canRead)
    return [
      `role ${reader}, which owns the tables, cannot see the standbys of this server; run as a ` +
        `superuser: grant pg_read_all_stats to ${reader}`,
    ];
  return [
    'no synchronous standby is connected, so an acknowledged write would be lost with this server: ' +
      'connect a standby and name it in synchronous_standby_names; or, without a standby, archive ' +
      `the log within ${ARCHIVE_SECONDS_MAX} s and set HOLDFAST_DURABILITY=archive`,
  ];
}

function archiveFaults(facts: DurabilityFacts): string[] {
  const { archive_mode: mode, has_archiver: hasArchiver, archive_seconds: seconds } = facts;
  const faults: string[] = [];
  if (mode === 'off')
    faults.push(
      'HOLDFAST_DURABILITY is archive, and archive_mode is off: set it to on and restart PostgreSQL',
    );
  else if (!hasArchiver)
    faults.push(
      'HOLDFAST_DURABILITY is archive, and nothing archives the log: set archive_command, for ' +
        "example to 'pgbackrest --stanza=holdfast archive-push %p'",
    );
  if (seconds === 0 || seconds > ARCHIVE_SECONDS_MAX)
    faults.push(
      `HOLDFAST_DURABILITY is archive, and archive_timeout is ${seconds} s: set it to 1 to ` +
        `${ARCHIVE_SECONDS_MAX} s, since writes of that time are lost with this server`,
    );
  return faults;
}
