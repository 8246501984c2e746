//! The recovery of a database that has forgotten writes.
import { type Static, Type } from 'typebox';
import { id, instant, nullable, oneOf, record } from '#fields';
import { statesOf } from '#machine';
import { lineageMachine } from '#machines/lineage-machine';

/** UNCHECKED: the server is another one than before, and no worker has checked it yet. */
export const LINEAGE_STATUSES = [...statesOf(lineageMachine), 'UNCHECKED'] as const;
export type LineageStatus = (typeof LINEAGE_STATUSES)[number];

export const RecoveryView = record('Recovery', {
  /** Counts the histories of the database: a restore or a failover starts another one. */
  lineage: Type.Integer(),
  status: oneOf(LINEAGE_STATUSES),
  /** Why it was checked so, or who opened it. */
  reason: Type.String(),
  /** Writes since then may be missing. Null for the first history. */
  lostFrom: nullable(instant()),
  checkedAt: instant(),
  openedAt: nullable(instant()),
  /** A platform admin's request to open it, which another one has to confirm. */
  openRequested: nullable(
    record('OpenRequest', {
      requestedAt: instant(),
      requestedBy: id('opr'),
      reason: Type.String(),
    }),
  ),
});
export type RecoveryView = Static<typeof RecoveryView>;
