//! The records of an operation and its steps.
import { type Static, Type } from 'typebox';
import { OPERATION_STATUSES, OPERATION_STEP_STATUSES } from '#enums';
import { id, instant, nullable, oneOf, record } from '#fields';

const words = () => nullable(Type.String());
const when = () => nullable(instant());

export const OperationView = record('Operation', {
  id: id('op'),
  kind: Type.String(),
  resourceType: Type.String(),
  resourceId: Type.String(),
  status: oneOf(OPERATION_STATUSES),
  refusalCode: words(),
  escalatedAt: when(),
  /** Open, and a provider's outcome is unknown: the provider is queried again at `nextTryAt`. */
  isUnknown: Type.Boolean(),
  hasMovedMoney: Type.Boolean(),
  attempts: Type.Integer({ minimum: 0 }),
  /** Null once it has ended. */
  nextTryAt: when(),
  startedBy: Type.String(),
  requestId: Type.String(),
  steps: Type.Array(
    record('OperationStep', {
      name: Type.String(),
      status: oneOf(OPERATION_STEP_STATUSES),
      hash: words(),
      /** What the provider calls it: a contract, a pay-in, a payout. */
      providerReference: words(),
      /** Why the provider refused. */
      reason: words(),
      at: instant(),
    }),
  ),
  createdAt: instant(),
  updatedAt: instant(),
});
export type OperationView = Static<typeof OperationView>;
