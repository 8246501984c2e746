//! Agreeing and disagreeing, as the second person.
import type { Approval } from '@holdfast/sdk';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast, useSession } from '#app/session.tsx';
import { ActionDialog } from '#parts/action-dialog.tsx';
import { Amount } from '#parts/amount.tsx';
import { EffectWords, useEffectOf } from '#screens/approvals/effect.tsx';
import { ASKED, titleOf } from '#screens/approvals/request-words.ts';

/** Whatever an approval may be about. */
const TOUCHED = [
  'Approval',
  'Order',
  'Dispute',
  'User',
  'Withdrawal',
  'Reconciliation',
  'Ledger',
  'Home',
] as const;

type Decision = 'approve' | 'reject';
export type Begin = (approval: Approval, decision: Decision) => void;

/**
 * `begin` opens the dialog; `shown` has to stand outside of the lists: what is approved leaves
 * those that wait, also when it could not be carried out, and whoever approved has to read that.
 */
export function useDecide() {
  // The approval stays when the dialog closes: it is seen until it has faded.
  const [{ approval, doing }, set] = useState<{ approval?: Approval; doing?: Decision }>({});
  // One that ends late does not close the next.
  const close = () => set((now) => (now.approval === approval ? { approval } : now));
  const begin: Begin = (one, decision) => set({ approval: one, doing: decision });
  const shown = (
    <>
      <Approve approval={approval} isOpen={doing === 'approve'} close={close} />
      <Reject approval={approval} isOpen={doing === 'reject'} close={close} />
    </>
  );
  return { begin, shown };
}

interface Props {
  readonly approval: Approval;
  readonly begin: Begin;
}

export function Decide({ approval, begin }: Props) {
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
      <Button size="md" variant="default" onClick={() => begin(approval, 'reject')}>
        Reject
      </Button>
      <Button size="md" onClick={() => begin(approval, 'approve')}>
        {isBegun(approval) ? 'Go on' : 'Approve'}
      </Button>
    </Group>
  );
}

/** Approved, and not carried out yet: a process died, or a provider was away. */
function isBegun(approval: Approval | undefined): boolean {
  return approval?.status === 'APPROVED';
}

/** By the service's own rules: not whoever asked, and only a role that could have. */
function useWhyNot(approval: Approval): string | undefined {
  const { action, requestedBy } = approval;
  const { session, role } = useSession();
  if (requestedBy.id === session.operator.id)
    return isBegun(approval)
      ? 'You asked for this: another person goes on with it, or rejects it while nothing was done.'
      : 'You asked for this: another person has to agree. Nobody takes a request back; it can be rejected, and expires by itself.';
  const roles = ASKED[action]?.roles;
  if (role === 'viewer') return 'A viewer agrees to nothing.';
  return roles === undefined || roles.includes(role)
    ? undefined
    : `Needs the role ${roles.join(' or ')}.`;
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
      title={`Approve: ${titleOf(action)}`}
      confirm={isBegun(approval) ? 'Go on with it' : 'Approve and do it'}
      isIrreversible
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
        {isBegun(approval) ? 'Goes on with' : 'Does at once'} what {requestedBy.name} asked for,
        with <Amount amount={amount} currency={currency} isStrong />, about {resourceId}. Both names
        are in the audit log.
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
      touches={['Approval']}
      effect={`Nothing is done. ${requestedBy?.name} sees your reason and can ask again.`}
      run={(reason) => holdfast.approvals.reject(id, { reason }, { reason })}
    />
  );
}
