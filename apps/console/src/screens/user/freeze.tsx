//! Freezing a user, and letting a frozen one act again.
import { ANY_ACTING } from '@holdfast/contract/roles';
import type { User } from '@holdfast/sdk';
import { useHoldfast } from '#app/session.tsx';
import { ActionButton } from '#parts/action-button.tsx';

export function Freeze({ user }: { readonly user: User }) {
  const holdfast = useHoldfast();
  const isFrozen = user.status === 'SUSPENDED';
  return (
    <ActionButton
      // What somebody else does meanwhile must not turn an open dialog into its opposite.
      key={user.status}
      label={isFrozen ? 'Unfreeze' : 'Freeze'}
      roles={ANY_ACTING}
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
  );
}
