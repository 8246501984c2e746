//! Adding an operator; the secret for their codes is shown once.
import { LENGTHS } from '@holdfast/contract/limits';
import { Checkbox, Group, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useHoldfast } from '#app/session.tsx';
import { EMAIL_ADDRESS } from '#parts/email-address.ts';
import { useSecretOnce } from '#parts/secret-once.tsx';
import { MembershipFields, useMarketplaces } from '#screens/operators/membership-fields.tsx';
import { roleChanges, type WantedRole } from '#screens/operators/membership-words.ts';
import { OperatorAction } from '#screens/operators/operator-action.tsx';
import { toldSecret } from '#screens/operators/told-secret.ts';

interface Newcomer {
  readonly name: string;
  readonly email: string;
  readonly isPlatformAdmin: boolean;
  readonly memberships: readonly WantedRole[];
}

const NOBODY: Newcomer = {
  name: '',
  email: '',
  isPlatformAdmin: false,
  memberships: [],
};

export function AddOperator() {
  const holdfast = useHoldfast();
  const { names, error } = useMarketplaces();
  const [wish, setWish] = useState(NOBODY);
  const [password, setPassword] = useState('');
  const { tell, shown } = useSecretOnce();
  const change = (changed: Partial<Newcomer>) => setWish((before) => ({ ...before, ...changed }));
  const add = async (reason: string, totp: string) => {
    const named = { ...wish, name: wish.name.trim(), password, totp };
    const made = await holdfast.operators.create(named, { reason });
    setWish(NOBODY);
    tell(toldSecret(made));
  };
  return (
    <>
      <OperatorAction
        label="Add an operator"
        isPrimary
        title="Add an operator"
        lines={effectOf(wish, names)}
        confirm="Add"
        done={`${wish.name.trim()} is an operator now`}
        missing={missingOf(wish, password)}
        run={add}
      >
        <Person wish={wish} change={change} />
        <FirstPassword value={password} change={setPassword} />
        <MembershipFields
          names={names}
          error={error}
          value={wish.memberships}
          change={(memberships) => change({ memberships })}
        />
        <Checkbox
          label="Platform admin"
          description="Manages operators and marketplaces. It opens no marketplace by itself."
          checked={wish.isPlatformAdmin}
          onChange={({ currentTarget }) => change({ isPlatformAdmin: currentTarget.checked })}
        />
      </OperatorAction>
      {shown}
    </>
  );
}

interface PersonProps {
  readonly wish: Newcomer;
  readonly change: (changed: Partial<Newcomer>) => void;
}

function Person({ wish: { name, email }, change }: PersonProps) {
  return (
    <Group grow align="flex-start">
      <TextInput
        label="Name"
        required
        data-autofocus
        autoComplete="off"
        maxLength={LENGTHS.name}
        value={name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <TextInput
        label="E-mail"
        type="email"
        required
        autoComplete="off"
        maxLength={LENGTHS.email}
        value={email}
        onChange={({ currentTarget }) => change({ email: currentTarget.value.trim() })}
      />
    </Group>
  );
}

interface PasswordProps {
  readonly value: string;
  readonly change: (value: string) => void;
}

function FirstPassword({ value, change }: PasswordProps) {
  // Not kept in a form that somebody has left.
  useEffect(() => () => change(''), [change]);
  return (
    <TextInput
      label="First password"
      description={`At least ${LENGTHS.operatorPassword} characters. Hand it over apart from the secret; they choose their own in the menu behind their initials.`}
      required
      autoComplete="off"
      maxLength={LENGTHS.password}
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

function missingOf({ name, email }: Newcomer, password: string): string | undefined {
  if (name.trim() === '') return 'Name them';
  if (!EMAIL_ADDRESS.test(email)) return 'Give an e-mail address';
  if (password.length < LENGTHS.operatorPassword)
    return `The password has ${LENGTHS.operatorPassword} characters or more`;
  return undefined;
}

function effectOf(wish: Newcomer, names: ReadonlyMap<string, string>): string[] {
  const { email, isPlatformAdmin, memberships } = wish;
  const roles = roleChanges([], memberships, names);
  return [
    `Whoever has ${email === '' ? 'the address' : email}, the first password and the secret can sign in at once.`,
    ...(roles.length === 0
      ? ['Gives no role: they see no marketplace until they have one.']
      : roles),
    ...(isPlatformAdmin
      ? ['Lets them make, change and disable operators, for as long as they are not disabled.']
      : []),
    'The secret for their codes is shown once, with the address that a QR code is made of.',
  ];
}
