//! Choosing another password for oneself; whoever is signed in elsewhere is signed out.
import { LENGTHS } from '@holdfast/contract/limits';
import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { CodeField, missingCode } from '#app/code-field.tsx';
import { useHoldfast } from '#app/session.tsx';
import { ActionDialog } from '#parts/action-dialog.tsx';
import { EffectList } from '#parts/effect-list.tsx';

const EFFECT = [
  'From now on you sign in with the new password; your codes stay as they are.',
  'Every other session of yours ends at once. This one goes on.',
  'Keep it well: nobody can set it for you. Whoever forgets theirs is made anew under another address.',
];

export function ChangePassword({ close }: { readonly close: () => void }) {
  const holdfast = useHoldfast();
  const [password, setPassword] = useState('');
  const [newPassword, setNewPassword] = useState('');
  const [again, setAgain] = useState('');
  const [totp, setTotp] = useState('');
  const run = async (reason: string) => {
    try {
      await holdfast.operators.changePassword({ password, newPassword, totp }, { reason });
    } finally {
      // Taken, it is used up. Refused, it may still hold, but not for as long as mending takes.
      setTotp('');
    }
  };
  return (
    <ActionDialog
      isOpen
      close={close}
      title="Change your password"
      effect={<EffectList lines={EFFECT} />}
      confirm="Change it"
      done="Your password is changed. Every other session of yours has ended."
      missing={missingOf({ password, newPassword, again }) ?? missingCode(totp)}
      run={run}
    >
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        required
        data-autofocus
        maxLength={LENGTHS.password}
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      <PasswordInput
        label="New password"
        description={`At least ${LENGTHS.operatorPassword} characters`}
        autoComplete="new-password"
        required
        maxLength={LENGTHS.password}
        value={newPassword}
        onChange={({ currentTarget }) => setNewPassword(currentTarget.value)}
      />
      <PasswordInput
        label="New password again"
        autoComplete="new-password"
        required
        maxLength={LENGTHS.password}
        value={again}
        onChange={({ currentTarget }) => setAgain(currentTarget.value)}
      />
      <CodeField value={totp} change={setTotp} />
    </ActionDialog>
  );
}

interface Typed {
  readonly password: string;
  readonly newPassword: string;
  readonly again: string;
}

function missingOf({ password, newPassword, again }: Typed): string | undefined {
  if (password === '') return 'Give your current password';
  if (newPassword.length < LENGTHS.operatorPassword)
    return `The new one has ${LENGTHS.operatorPassword} characters or more`;
  if (newPassword === password) return 'Choose another than the current one';
  return newPassword === again ? undefined : 'The two new ones differ';
}
