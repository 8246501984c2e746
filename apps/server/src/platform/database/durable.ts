//! A write of its own, for what another transaction is found to have written.
import { sql } from './sql.ts';

/**
 * A commit that was cut off while it waited for a synchronous standby is visible, and may still be
 * on this server alone. A later commit that is acknowledged stands behind it in the log, so the
 * standby has both. It must write to the log itself: one that only takes a number does not wait.
 */
export const WRITE_OF_ITS_OWN = sql`select pg_logical_emit_message(true, 'holdfast', '')`;
