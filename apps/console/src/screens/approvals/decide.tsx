//! Agreeing and disagreeing, as the second person.
import type { Approval } from '@holdfast/sdk';
import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useHoldfast, useSession } from '#app/session.tsx';
import { ActionDialog } from '#parts/action-dialog.tsx';
import { Amount } from '#parts/amount.tsx';
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

interface Props {
  readonly approval: Approval;
  /** What agreeing does. */
  readonly effect: ReactNode;
}

export function Decide({ approval, effect }: Props) {
  const [doing, setDoing] = useState<'approve' | 'reject'>();
  const whyNot = useWhyNot(approval);
  if (whyNot !== undefined) {
    // A telephone shows no tooltip: the reason stands where the buttons would.
    return (
      <Text size="sm" c="dimmed">
        {whyNot}
      </Text>
    );
  }
  const close = () => setDoing(undefined);
  return (
    <>
      <Group grow>
        <Button size="md" variant="default" onClick={() => setDoing('reject')}>
          Reject
        </Button>
        <Button size="md" onClick={() => setDoing('approve')}>
          Approve
        </Button>
      </Group>
      <Approve approval={approval} effect={effect} isOpen={doing === 'approve'} close={close} />
      <Reject approval={approval} isOpen={doing === 'reject'} close={close} />
    </>
  );
}

/** By the service's own rules: not whoever asked, and only a role that could have. */
function useWhyNot({ action, requestedBy }: Approval): string | undefined {
  const { session, role } = useSession();
  if (requestedBy.id === session.operator.id)
    return 'You asked for this: another person has to agree. Nobody takes a request back; it can be rejected, and expires by itself.';
  const roles = ASKED[action]?.roles;
  if (role === 'viewer') return 'A viewer agrees to nothing.';
  return roles === undefined || roles.includes(role)
    ? undefined
    : `Needs the role ${roles.join(' or ')}.`;
}

interface DialogProps {
  readonly approval: Approval;
  readonly isOpen: boolean;
  readonly close: () => void;
}

function Approve({ approval, effect, isOpen, close }: DialogProps & Props) {
  const holdfast = useHoldfast();
  const { id, action, amount, currency, requestedBy, status } = approval;
  return (
    <ActionDialog
      isOpen={isOpen}
      close={close}
      title={`Approve: ${titleOf(action)}`}
      confirm="Approve and do it"
      isIrreversible
      touches={TOUCHED}
      effect={
        <>
          {effect}
          <Text size="sm" mt={6}>
            {status === 'APPROVED' ? 'Goes on with' : 'Does at once'} what {requestedBy.name} asked
            for, with <Amount amount={amount} currency={currency} isStrong />. Both names are in the
            audit log.
          </Text>
        </>
      }
      run={(reason) => holdfast.approvals.approve(id, { reason }, { reason })}
    />
  );
}

function Reject({ approval, isOpen, close }: DialogProps) {
  const holdfast = useHoldfast();
  const { id, action, requestedBy } = approval;
  return (
    <ActionDialog
      isOpen={isOpen}
      close={close}
      title={`Reject: ${titleOf(action)}`}
      confirm="Reject"
      touches={['Approval']}
      effect={`Nothing is done. ${requestedBy.name} sees your reason and can ask again.`}
      run={(reason) => holdfast.approvals.reject(id, { reason }, { reason })}
    />
  );
}
