//! Sets an operator's roles by marketplace: PUT /operators/{id}/memberships.
import { refuse } from '@holdfast/contract/errors';
import { ADMIN } from '@holdfast/contract/roles';
import { refuseField } from '@holdfast/contract/validation';
import { assert } from '@holdfast/kernel/assert';
import type { OperatorId } from '@holdfast/kernel/ids';
import type { Call } from '../../platform/call.ts';
import { type Tx, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { revokeKeysOf } from '../keys/revoke-api-key.ts';
import { delayApprovals } from './approval-delay.ts';
import { checkFreshCode } from './check-fresh-code.ts';
import { type Membership, replaceMemberships } from './membership.ts';
import { findOperator, type Operator } from './operator.ts';
import type { OperatorApp } from './operator-auth.ts';
import { requireSecondAdmin } from './require-second-admin.ts';

/** Takes effect from the next request on: a session carries no roles. */
export async function setMemberships(
  app: OperatorApp,
  call: Call,
  operatorId: OperatorId,
  { memberships, totp }: { readonly memberships: readonly Membership[]; readonly totp?: string },
): Promise<Operator> {
  const takeCode = await checkFreshCode(app, call, {
    totp,
    action: 'setMemberships',
    request: { operatorId, memberships },
  });
  return transact(app, call, async (tx) => {
    await takeCode(tx);
    const before =
      (await findOperator(tx, operatorId)) ?? refuse('OPERATOR_NOT_FOUND', { operatorId });
    if (grantsMore(before.memberships, memberships)) {
      await requireSecondAdmin(tx);
      if (tx.actor.kind !== 'master') await delayApprovals(tx, operatorId);
    }
    await writeMemberships(tx, operatorId, memberships);
    const after = await findOperator(tx, operatorId);
    assert(after !== undefined, 'operators are never removed');
    return after;
  });
}

/** Every role but viewer acts, each in its own way: only viewer is less than any other. */
function grantsMore(before: readonly Membership[], after: readonly Membership[]): boolean {
  const roleBefore = new Map(before.map(({ marketplaceId, role }) => [marketplaceId, role]));
  return after.some(({ marketplaceId, role }) => {
    const had = roleBefore.get(marketplaceId);
    return had !== role && had !== 'admin' && !(role === 'viewer' && had !== undefined);
  });
}

/** Shared with creating an operator. Each marketplace's audit log records its own changes. */
export async function writeMemberships(
  tx: Tx,
  operatorId: OperatorId,
  wanted: readonly Membership[],
): Promise<void> {
  const named = wanted.map(({ marketplaceId }) => marketplaceId);
  if (new Set(named).size < named.length)
    refuseField('memberships', 'unique', 'memberships must not name a marketplace twice');
  const { changes, unknown } = await replaceMemberships(tx, operatorId, wanted);
  const [marketplaceId] = unknown;
  if (marketplaceId !== undefined) refuse('MARKETPLACE_NOT_FOUND', { marketplaceId });
  for (const { marketplace, before, after } of changes) {
    await audit(tx, {
      action: 'OPERATOR_MEMBERSHIP_SET',
      resourceId: operatorId,
      marketplace,
      before: { role: before },
      after: { role: after },
    });
  }
  const lost = changes.filter(({ after }) => !ADMIN.some((role) => role === after));
  await revokeKeysOf(
    tx,
    operatorId,
    lost.map(({ marketplace }) => marketplace),
  );
}
