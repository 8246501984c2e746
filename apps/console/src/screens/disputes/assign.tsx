//! Taking a dispute up, oneself or for somebody else. It is given once: the service moves none on.
import { disputeMachine } from '@holdfast/contract/dispute-machine';
import { LENGTHS } from '@holdfast/contract/limits';
import { canMove } from '@holdfast/contract/machine';
import { SUPPORT } from '@holdfast/contract/roles';
import type { Dispute } from '@holdfast/sdk';
import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useHoldfast, useMay, useSession } from '#app/session.tsx';
import { ActionDialog } from '#parts/action-dialog.tsx';

interface Props {
  readonly dispute: Dispute;
}

/** Takes a dispute up: from then on it is under review, with a name on it. */
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
        title="Take the dispute up"
        confirm="Assign to me"
        touches={['Dispute', 'Order', 'Home']}
        effect={`The dispute is under review, assigned to ${email}. The parties are told by an event.`}
        run={(reason) => holdfast.disputes.assign(dispute.id, { assignedTo: email }, { reason })}
      />
    </>
  );
}

/** Whoever gets it finds it by their e-mail address, as those do who take one themselves. */
export function AssignToOther({ dispute }: Props) {
  const holdfast = useHoldfast();
  const [isOpen, dialog] = useDisclosure();
  const [email, setEmail] = useState('');
  const assignedTo = email.trim();
  if (!useIsAssignable(dispute)) return null;
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={dialog.open}>
        Assign to somebody else
      </Button>
      <ActionDialog
        isOpen={isOpen}
        close={dialog.close}
        title="Give the dispute to somebody"
        confirm="Assign to them"
        touches={['Dispute', 'Order', 'Home']}
        missing={assignedTo === '' ? 'Whoever gets it is missing.' : undefined}
        effect="The dispute is under review and theirs until it is decided: it cannot be given on. The parties are told by an event."
        run={(reason) => holdfast.disputes.assign(dispute.id, { assignedTo }, { reason })}
      >
        <TextInput
          label="Their e-mail address"
          description="The one they sign in with"
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
