//! Freezing a user, and letting a frozen one act again.
import { ANY_ACTING } from '@holdfast/contract/roles';
import type { User } from '@holdfast/sdk';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast, useMay } from '#app/session.tsx';
import { ActionDialog } from '#parts/action-dialog.tsx';

export function Freeze({ user }: { readonly user: User }) {
  const holdfast = useHoldfast();
  const mayDo = useMay(ANY_ACTING);
  const [isOpen, setOpen] = useState(false);
  const isFrozen = user.status === 'SUSPENDED';
  if (!mayDo) return null;
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {isFrozen ? 'Unfreeze' : 'Freeze'}
      </Button>
      <ActionDialog
        isOpen={isOpen}
        close={() => setOpen(false)}
        title={isFrozen ? 'Unfreeze the user' : 'Freeze the user'}
        confirm={isFrozen ? 'Unfreeze' : 'Freeze'}
        touches={['User']}
        effect={
          isFrozen
            ? 'The user may order, top up and withdraw again.'
            : 'No new orders, top-ups or withdrawals. Orders in escrow go on, and nothing is taken away. You can unfreeze the user at any time.'
        }
        run={(reason) =>
          isFrozen
            ? holdfast.users.unfreeze(user.id, { reason }, { reason })
            : holdfast.users.freeze(user.id, { reason }, { reason })
        }
      />
    </>
  );
}
