//! Freezes and unfreezes a user.
import { ANY_ACTING } from '@holdfast/contract/roles';
import type { User } from '@holdfast/sdk';
import { useHoldfast } from '#app/session/session.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';

export function Freeze({ user }: { readonly user: User }) {
  const holdfast = useHoldfast();
  const isFrozen = user.status === 'SUSPENDED';
  return (
    <ActionButton
      // A change by another operator must not turn an open dialog into its opposite.
      key={user.status}
      label={isFrozen ? 'Unfreeze user' : 'Freeze user'}
      roles={ANY_ACTING}
      title={isFrozen ? 'Unfreeze user' : 'Freeze user'}
      confirm={isFrozen ? 'Unfreeze user' : 'Freeze user'}
      done={isFrozen ? 'User unfrozen' : 'User frozen'}
      touches={['User']}
      effect={
        isFrozen
          ? 'Allows new orders, top-ups, withdrawals and escrows again.'
          : 'Blocks new orders, top-ups, withdrawals and escrows, and the payout of unconfirmed withdrawals. Orders already in escrow continue. Balances do not change. You can unfreeze the user at any time.'
      }
      run={(reason) =>
        isFrozen
          ? holdfast.users.unfreeze(user.id, { reason }, { reason })
          : holdfast.users.freeze(user.id, { reason }, { reason })
      }
    />
  );
}
