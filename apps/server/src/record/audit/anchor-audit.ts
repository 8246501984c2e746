//! Writes the heads of all audit chains to the log, outside the database: a background job. An
//! attacker who rewrites a whole chain would have to rewrite every copy of these lines too.
import type pg from 'pg';
import type { RowNumber } from '../../platform/database/database.ts';
import type { Log } from '../../platform/process/log.ts';
import type { ChainName } from './anchors.ts';
import { BEFORE_ALL } from './audit-chain.ts';

const CHAINS_AT_ONCE = 500;

interface HeadRow {
  marketplace_id: RowNumber;
  name: ChainName;
  position: number;
  hash: string;
}

export async function anchorAudit({
  pool,
  log,
}: {
  readonly pool: pg.Pool;
  readonly log: Log;
}): Promise<number> {
  let anchored = 0;
  for (let after: RowNumber = BEFORE_ALL; ; ) {
    const { rows } = await pool.query<HeadRow>(
      `select marketplace_id, name, position::float8 as position,
         encode(hash, 'hex') as hash from work.audit_heads($1, $2)`,
      [after, CHAINS_AT_ONCE],
    );
    for (const { name: marketplaceId, position, hash } of rows) {
      if (position === 0) continue;
      log.info({ marketplaceId, position, hash }, 'audit head anchored');
      anchored += 1;
    }
    const last = rows.at(-1);
    if (last === undefined) return anchored;
    after = last.marketplace_id;
  }
}
