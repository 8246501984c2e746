//! The dialog in which the second approver approves or rejects.
import type { Approval } from '@holdfast/sdk';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast, useSession } from '#app/session/session.tsx';
import { ActionDialog } from '#parts/action/action-dialog.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { requiredRoles } from '#parts/words/role-words.ts';
import { EffectWords, useEffectOf } from '#screens/approvals/effect.tsx';
import { APPROVABLE_ACTIONS, titleOf } from '#screens/approvals/request-words.ts';

/** All topics that an approval can touch. */
const TOUCHED = [
  'Approval',
  'Order',
  'Dispute',
  'User',
  'Withdrawal',
  'Reconciliation',
  'Ledger',
  'Operator',
  'Marketplace',
  'Solvency',
  'Home',
] as const;

type Decision = 'approve' | 'reject';
export type OpenDecision = (approval: Approval, decision: Decision) => void;

/**
 * `openDecision` opens the dialog. Render `shown` outside of the lists: an approved request leaves
 * the pending ones, even when its execution failed, and the approver has to read that.
 */
export function useDecide() {
  // The approval stays when the dialog closes: it is seen until it has faded.
  const [{ approval, doing }, set] = useState<{ approval?: Approval; doing?: Decision }>({});
  // One that ends late does not close the next.
  const close = () => set((now) => (now.approval === approval ? { approval } : now));
  const openDecision: OpenDecision = (one, decision) => set({ approval: one, doing: decision });
  const shown = (
    <>
      <Approve approval={approval} isOpen={doing === 'approve'} close={close} />
      <Reject approval={approval} isOpen={doing === 'reject'} close={close} />
    </>
  );
  return { openDecision: openDecision, shown };
}

interface Props {
  readonly approval: Approval;
  readonly openDecision: OpenDecision;
}

export function Decide({ approval, openDecision }: Props) {
  const whyNot = useWhyNot(approval);
  if (whyNot !== undefined) {
    // A telephone shows no tooltip: the reason stands where the buttons would.
    return (
      <Text size="sm" c="dimmed">
        {whyNot}
      </Text>
    );
  }
  return (
    <Group grow>
      <Button size="md" variant="default" onClick={() => openDecision(approval, 'reject')}>
        Reject
      </Button>
      <Button size="md" onClick={() => openDecision(approval, 'approve')}>
        {isApproved(approval) ? 'Retry execution' : 'Approve'}
      </Button>
    </Group>
  );
}

/** Approved, and not carried out yet: a process died, or a provider was away. */
function isApproved(approval: Approval | undefined): boolean {
  return approval?.status === 'APPROVED';
}

/** By the service's own rules: not the requester, and only a role that could have requested it. */
function useWhyNot(approval: Approval): string | undefined {
  const { action, requestedBy } = approval;
  const { session, role } = useSession();
  if (requestedBy.id === session.operator.id)
    return isApproved(approval)
      ? 'You cannot retry or reject your own request. Ask another operator.'
      : 'You cannot approve your own request. Ask another operator before the request expires.';
  const roles = APPROVABLE_ACTIONS[action]?.roles;
  // A request on the platform: only platform admins see it at all.
  if (roles?.length === 0) return undefined;
  if (role === 'viewer') return 'Viewers cannot approve requests.';
  return roles === undefined || roles.includes(role) ? undefined : `${requiredRoles(roles)}.`;
}

interface DialogProps {
  /** Undefined before the first: a dialog that was there when it opened gives the focus back. */
  readonly approval: Approval | undefined;
  readonly isOpen: boolean;
  readonly close: () => void;
}

function Approve({ approval, isOpen, close }: DialogProps) {
  const holdfast = useHoldfast();
  const { id = '', action = '' } = approval ?? {};
  return (
    <ActionDialog
      isOpen={isOpen}
      close={close}
      title={`${isApproved(approval) ? 'Retry' : 'Approve'}: ${titleOf(action)}`}
      confirm={isApproved(approval) ? 'Retry execution' : 'Approve and execute'}
      isIrreversible
      done="Request approved and executed"
      touches={TOUCHED}
      effect={approval && <WhatItDoes approval={approval} />}
      run={(reason) => holdfast.approvals.approve(id, { reason }, { reason })}
    />
  );
}

function WhatItDoes({ approval }: { readonly approval: Approval }) {
  const { amount, currency, requestedBy, resourceId } = approval;
  const effect = useEffectOf(approval);
  return (
    <>
      {effect && <EffectWords of={effect} />}
      <Text size="sm" mt={6} className="hf-text">
        {isApproved(approval) ? 'Retries' : 'Executes'} {requestedBy.name}’s request:{' '}
        {amount !== null && currency !== null && (
          <>
            <Amount amount={amount} currency={currency} isStrong />,{' '}
          </>
        )}
        record {resourceId}. Both names are recorded in the audit log.
      </Text>
    </>
  );
}

function Reject({ approval, isOpen, close }: DialogProps) {
  const holdfast = useHoldfast();
  const { id = '', action = '', requestedBy } = approval ?? {};
  return (
    <ActionDialog
      isOpen={isOpen}
      close={close}
      title={`Reject: ${titleOf(action)}`}
      confirm="Reject"
      done="Request rejected"
      touches={['Approval']}
      effect={`The request is not executed. ${requestedBy?.name} sees your reason and can submit a new request.`}
      run={(reason) => holdfast.approvals.reject(id, { reason }, { reason })}
    />
  );
}
