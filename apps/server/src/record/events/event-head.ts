//! Heads: where each marketplace's log and audit chain end. The sequencer continues from there.
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/row.ts';
import { sql } from '../../platform/database/sql.ts';

export interface LogHead {
  readonly position: number;
  /** Microseconds since 1970. */
  readonly micros: number;
  readonly chainPosition: number;
  readonly chainHash: Buffer;
}

/** Before the first event and the first link. */
export const NO_HEAD: LogHead = {
  position: 0,
  micros: 0,
  chainPosition: 0,
  chainHash: Buffer.alloc(32),
};

export async function readHeads(
  client: pg.ClientBase,
  marketplaces: readonly RowNumber[],
): Promise<Map<RowNumber, LogHead>> {
  const query = sql`
    select marketplace_id, position::float8 as position,
      (extract(epoch from occurred_at) * 1000000)::float8 as micros,
      chain_position::float8 as chain_position, chain_hash
    from event_head where marketplace_id = any (${marketplaces}::bigint[])`;
  const { rows } = await client.query<
    Row<'event_head', 'marketplace_id' | 'chain_hash'> &
      Record<'position' | 'micros' | 'chain_position', number>
  >({ ...query, values: [...query.values] });
  return new Map(
    rows.map((row) => [
      row.marketplace_id,
      {
        position: row.position,
        micros: row.micros,
        chainPosition: row.chain_position,
        chainHash: row.chain_hash,
      },
    ]),
  );
}
