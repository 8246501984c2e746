//! Notes the heads of all audit chains in the log, which leaves the database: a background job.
//! Whoever rewrites a chain as a whole would have to rewrite these lines too, wherever they went.
import type { MarketplaceId } from '@holdfast/kernel/ids';
import type pg from 'pg';
import type { RowNumber } from '../platform/database.ts';
import type { Log } from '../platform/log.ts';

const CHAINS_AT_ONCE = 500;

interface HeadRow {
  marketplace_id: RowNumber;
  marketplace_public_id: MarketplaceId;
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
  let noted = 0;
  for (let after: RowNumber = '0'; ; ) {
    const { rows } = await pool.query<HeadRow>(
      `select marketplace_id, marketplace_public_id, position::float8 as position,
         encode(hash, 'hex') as hash from work.audit_heads($1, $2)`,
      [after, CHAINS_AT_ONCE],
    );
    for (const { marketplace_public_id: marketplaceId, position, hash } of rows) {
      if (position === 0) continue;
      log.info({ marketplaceId, position, hash }, 'anchor audit');
      noted += 1;
    }
    const last = rows.at(-1);
    if (last === undefined) return noted;
    after = last.marketplace_id;
  }
}
