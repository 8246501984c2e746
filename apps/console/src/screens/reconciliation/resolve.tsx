//! Resolves an exception: shows each suggested action with its posting before it is executed.
import { FINANCE } from '@holdfast/contract/roles';
import type { ExceptionAction, ReconciliationException } from '@holdfast/sdk';
import { Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast } from '#app/session/session.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';
import { Panel } from '#parts/panel.tsx';
import { ACTION_WORDS, effectOf } from '#screens/reconciliation/effects.ts';

interface Props {
  readonly exception: ReconciliationException;
}

export function Resolve({ exception }: Props) {
  const { status, suggestedActions } = exception;
  if (status !== 'OPEN') return <Text size="sm">Cleared: a later run found no difference.</Text>;
  return (
    <Panel title="Actions">
      <Group>
        {suggestedActions.map((action) => (
          <OneAction key={action} action={action} exception={exception} />
        ))}
      </Group>
    </Panel>
  );
}

function OneAction({ action, exception }: Props & { readonly action: ExceptionAction }) {
  const holdfast = useHoldfast();
  const [userId, setUserId] = useState('');
  const { label, done, posts } = ACTION_WORDS[action];
  const needsUser = action === 'CREDIT_USER' || action === 'CHARGE_USER';
  return (
    <ActionButton
      label={label}
      roles={FINANCE}
      title={`${label}: ${exception.id}`}
      effect={<EffectList lines={effectOf(action, exception, userId)} />}
      confirm={label}
      done={done}
      isIrreversible={posts}
      missing={needsUser && !/^usr_[0-9a-z]+$/.test(userId) ? 'Enter a user ID' : undefined}
      touches={['Reconciliation', 'Ledger', 'Home']}
      run={(reason) =>
        holdfast.reconciliation
          .resolveException(
            exception.id,
            {
              action,
              reason,
              ...(needsUser && { userId }),
              ...(posts && { expectedAmount: exception.amount }),
            },
            { reason },
          )
          .outcome()
      }
    >
      {needsUser && (
        <TextInput
          label="User ID"
          placeholder="usr_…"
          required
          data-autofocus
          value={userId}
          onChange={({ currentTarget }) => setUserId(currentTarget.value.trim())}
        />
      )}
    </ActionButton>
  );
}
