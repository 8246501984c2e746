//! Makes the sequence number before a signed envelope a known one, for accounts whose earlier
//! transactions were sent by a test itself.
import { randomUUID } from 'node:crypto';
import type { Call } from '../platform/call.ts';
import { sql } from '../platform/database/sql.ts';
import { type Transactor, transact } from '../platform/database/transact.ts';
import type { SignedEnvelope } from '../providers/network/envelope.ts';
import type { Outcome } from '../providers/outcome.ts';

export async function knowNumberBefore(
  app: Transactor,
  call: Call,
  signed: Outcome<SignedEnvelope>,
): Promise<void> {
  if (signed.kind !== 'done') return;
  const { source, sequence } = signed.value;
  const name = randomUUID();
  await transact(app, call, (tx) =>
    tx.query(sql`
      insert into envelope (marketplace_id, purpose, attempt, hash, xdr, source, sequence, max_time,
        state, created_at)
      values (${tx.marketplace}, ${name}, 1, ${name}, '', ${source}, ${String(sequence - 1n)}, 1,
        'APPLIED', now())`),
  );
}
