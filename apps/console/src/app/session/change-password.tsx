//! Changes one's own password; other sessions of the operator are signed out.
import { LENGTHS } from '@holdfast/contract/limits';
import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { CodeField, missingCode } from '#app/session/code-field.tsx';
import { useHoldfast } from '#app/session/session.tsx';
import { ActionDialog } from '#parts/action/action-dialog.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';

const EFFECT = [
  'Replaces your password. Your authenticator app stays set up as it is.',
  'Signs you out of all other sessions. This session stays signed in.',
  'If you forget the password, a platform admin can reset your account. You then set it up again with a new link.',
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
      // An accepted code is used up. A refused one may expire before the form is corrected.
      setTotp('');
    }
  };
  return (
    <ActionDialog
      isOpen
      close={close}
      title="Change password"
      effect={<EffectList lines={EFFECT} />}
      confirm="Change password"
      done="Password changed. All your other sessions are signed out."
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
        label="Confirm new password"
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
  if (password === '') return 'Enter your current password';
  if (newPassword.length < LENGTHS.operatorPassword)
    return `The new password needs at least ${LENGTHS.operatorPassword} characters`;
  if (newPassword === password) return 'Choose a password that differs from the current one';
  return newPassword === again ? undefined : 'The new passwords do not match';
}
