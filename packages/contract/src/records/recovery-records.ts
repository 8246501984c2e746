//! The recovery of a database that has lost writes.
import { type Static, Type } from 'typebox';
import { closed, id, instant, instantInput, nullable, oneOf, record, text } from '#fields';
import { statesOf } from '#machine';
import { lineageMachine } from '#machines/lineage-machine';

/** UNCHECKED: the server is another one than before, and no worker has checked it yet. */
export const LINEAGE_STATUSES = [...statesOf(lineageMachine), 'UNCHECKED'] as const;
export type LineageStatus = (typeof LINEAGE_STATUSES)[number];

/** What the recovery does, in this order. Each part is repeated until it is done. */
export const RECOVERY_STEPS = ['wallets', 'wait', 'transactions', 'payments', 'end'] as const;

export const FINDING_KINDS = [
  'UNRECORDED_PAYOUT',
  'UNRECORDED_PAYIN',
  'UNRECORDED_ESCROW',
  'UNRECORDED_STEP',
  'ACKNOWLEDGED_WRITE_LOST',
] as const;

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
  /** Of the present recovery; empty for the first history. */
  steps: Type.Array(
    record('RecoveryStep', {
      name: oneOf(RECOVERY_STEPS),
      startedAt: instant(),
      /** Null while it is in progress. */
      finishedAt: nullable(instant()),
      /** What it did, or what it waits for. */
      detail: Type.String(),
    }),
  ),
  /** How much a person has to settle: GET /recovery/findings lists it. */
  findings: Type.Integer(),
});
export type RecoveryView = Static<typeof RecoveryView>;

/** What happened without a record here, and was not repaired by itself. */
export const RecoveryFindingView = record('RecoveryFinding', {
  id: id('fnd'),
  kind: oneOf(FINDING_KINDS),
  /** Null where the record does not show whose it is. */
  marketplaceId: nullable(id('mkt')),
  userId: nullable(id('usr')),
  /** Of the order or withdrawal that it names. */
  resourceId: nullable(Type.String()),
  /** Up to seven decimal places. */
  amount: nullable(Type.String()),
  currency: nullable(Type.String()),
  /**
   * The transaction's hash or the payment provider's id. Of a lost write, the id of its request,
   * and after a slash its idempotency scope or its own id.
   */
  reference: Type.String(),
  detail: Type.String(),
  foundAt: instant(),
});
export type RecoveryFindingView = Static<typeof RecoveryFindingView>;

/** One request has at most so many: its body has eleven keys of each, and 500 at most. */
export const WRITES_MAX = 40;

/** As the line `request completed` of an API server's log has it. */
export const AcknowledgedWriteInput = closed({
  /** Of its audit record, operation or journal entry, or the scope of its Idempotency-Key. */
  writeId: text(40),
  /** The id of the request that wrote: `writeRequestId`. */
  requestId: text(36),
  idempotencyScope: Type.Optional(text(36)),
  at: instantInput(),
  method: text(10),
  path: text(300),
  status: Type.Integer({ minimum: 200, maximum: 299 }),
  actorId: text(60),
  resourceId: Type.Optional(text(60)),
  amount: Type.Optional(text(40)),
  currency: Type.Optional(text(10)),
});

export type AcknowledgedWriteInput = Static<typeof AcknowledgedWriteInput>;

export const WritesCheckView = record('WritesCheck', {
  checked: Type.Integer(),
  lost: Type.Array(record('LostWrite', { writeId: Type.String(), requestId: Type.String() })),
});
export type WritesCheckView = Static<typeof WritesCheckView>;
