//! Assigns a dispute to oneself or to another operator, once: the service does not reassign it.

import { LENGTHS } from '@holdfast/contract/limits';
import { canMove } from '@holdfast/contract/machine';
import { disputeMachine } from '@holdfast/contract/machines/dispute-machine';
import { SUPPORT } from '@holdfast/contract/roles';
import type { Dispute } from '@holdfast/sdk';
import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useHoldfast, useMay, useSession } from '#app/session/session.tsx';
import { ActionDialog } from '#parts/action/action-dialog.tsx';

interface Props {
  readonly dispute: Dispute;
}

/** Assigns a dispute to the operator: it is then under review. */
export function AssignToMe({ dispute }: Props) {
  const holdfast = useHoldfast();
  const { email } = useSession().session.operator;
  const [isOpen, dialog] = useDisclosure();
  if (!useIsAssignable(dispute)) return null;
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={dialog.open}>
        Assign to me
      </Button>
      <ActionDialog
        isOpen={isOpen}
        close={dialog.close}
        title="Assign dispute"
        confirm="Assign to me"
        done="Dispute assigned"
        touches={['Dispute', 'Order', 'Home']}
        effect={`Assigns the dispute to ${email} and sets the status to Under review. The dispute cannot be reassigned. The marketplace is notified and sees this email address.`}
        run={(reason) => holdfast.disputes.assign(dispute.id, { assignedTo: email }, { reason })}
      />
    </>
  );
}

/** The assignee finds it by their email address, as operators do who assign it to themselves. */
export function AssignToOther({ dispute }: Props) {
  const holdfast = useHoldfast();
  const [isOpen, dialog] = useDisclosure();
  const [email, setEmail] = useState('');
  const assignedTo = email.trim();
  if (!useIsAssignable(dispute)) return null;
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={dialog.open}>
        Assign to operator…
      </Button>
      <ActionDialog
        isOpen={isOpen}
        close={dialog.close}
        title="Assign dispute"
        confirm="Assign"
        done="Dispute assigned"
        touches={['Dispute', 'Order', 'Home']}
        missing={assignedTo === '' ? 'Enter an email address.' : undefined}
        effect="Sets the status to Under review. The dispute cannot be reassigned. The marketplace is notified and sees the email address."
        run={(reason) => holdfast.disputes.assign(dispute.id, { assignedTo }, { reason })}
      >
        <TextInput
          label="Operator’s email address"
          description="The address that the operator signs in with"
          required
          data-autofocus
          maxLength={LENGTHS.name}
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value)}
        />
      </ActionDialog>
    </>
  );
}

function useIsAssignable({ status }: Dispute): boolean {
  const mayDo = useMay(SUPPORT);
  return mayDo && canMove(disputeMachine, status, 'assign');
}
