//! The name of the database's server and the marks, read by other means than the service does, and
//! the status that follows from them.
import type pg from 'pg';
import type { LocalRestate } from '../../../apps/cli/src/local-restate.ts';
import { eventually } from '../../../apps/server/src/testing/until.ts';

export interface History {
  /** The system identifier and the timeline. */
  readonly server: string;
  readonly mark: number;
}

export type Status = 'OPEN' | 'PROMOTED' | 'REWOUND';

export async function readHistory(database: pg.Pool): Promise<History> {
  const { rows } = await database.query<{ server: string; mark: string }>(
    `select (pg_control_system()).system_identifier || ' '
       || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as server, mark
     from lineage_mark`,
  );
  const [row] = rows as [{ server: string; mark: string }];
  return { server: row.server, mark: Number(row.mark) };
}

/** Null where Restate has none. Just after its start it does not reply yet. */
export function readRestateMark(restate: LocalRestate): Promise<number | null> {
  return eventually(READY_MS_MAX, () => readMark(restate), 250);
}

async function readMark({ adminUrl }: LocalRestate): Promise<number | null> {
  const response = await fetch(`${adminUrl}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      query: `select value_utf8 from state where service_name like 'mark-%' and key = 'mark'`,
    }),
  });
  if (!response.ok)
    throw new Error(`Restate returned ${response.status}: ${await response.text()}`);
  const { rows } = (await response.json()) as { rows: { value_utf8: string }[] };
  const [row] = rows;
  return row === undefined ? null : Number(JSON.parse(row.value_utf8));
}

const READY_MS_MAX = 20_000;

/** The table of docs/operations/recovery.md. */
export function statusAfter(
  before: Pick<History, 'server'>,
  { server, mark }: History,
  restateMark: number | null,
): Status {
  if (restateMark !== null && restateMark > mark) return 'REWOUND';
  if (server === before.server) return 'OPEN';
  return restateMark === null ? 'REWOUND' : 'PROMOTED';
}
