//! Adds an operator; the secret for their codes is shown once.
import { LENGTHS } from '@holdfast/contract/limits';
import { Checkbox, Group, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useHoldfast } from '#app/session/session.tsx';
import { useSecretOnce } from '#parts/action/secret-once.tsx';
import { EMAIL_ADDRESS } from '#parts/words/email-address.ts';
import { issuedSecret } from '#screens/operators/issued-secret.ts';
import { MembershipFields, useMarketplaces } from '#screens/operators/membership-fields.tsx';
import { roleChanges, type WantedRole } from '#screens/operators/membership-words.ts';
import { OperatorAction } from '#screens/operators/operator-action.tsx';

interface OperatorDraft {
  readonly name: string;
  readonly email: string;
  readonly isPlatformAdmin: boolean;
  readonly memberships: readonly WantedRole[];
}

const EMPTY_DRAFT: OperatorDraft = {
  name: '',
  email: '',
  isPlatformAdmin: false,
  memberships: [],
};

export function AddOperator() {
  const holdfast = useHoldfast();
  const { names, error } = useMarketplaces();
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [password, setPassword] = useState('');
  const { showSecret, shown } = useSecretOnce();
  const change = (changed: Partial<OperatorDraft>) =>
    setDraft((before) => ({ ...before, ...changed }));
  const add = async (reason: string, totp: string) => {
    const named = { ...draft, name: draft.name.trim(), password, totp };
    const created = await holdfast.operators.create(named, { reason });
    setDraft(EMPTY_DRAFT);
    showSecret(issuedSecret(created));
  };
  return (
    <>
      <OperatorAction
        label="Add operator"
        isPrimary
        title="Add operator"
        lines={effectOf(draft, names)}
        confirm="Add"
        done={`Operator ${draft.name.trim()} added`}
        missing={missingOf(draft, password)}
        run={add}
      >
        <Person draft={draft} change={change} />
        <FirstPassword value={password} change={setPassword} />
        <MembershipFields
          names={names}
          error={error}
          value={draft.memberships}
          change={(memberships) => change({ memberships })}
        />
        <Checkbox
          label="Platform admin"
          description="Manages operators and marketplaces. Gives no access to the data of a marketplace."
          checked={draft.isPlatformAdmin}
          onChange={({ currentTarget }) => change({ isPlatformAdmin: currentTarget.checked })}
        />
      </OperatorAction>
      {shown}
    </>
  );
}

interface PersonProps {
  readonly draft: OperatorDraft;
  readonly change: (changed: Partial<OperatorDraft>) => void;
}

function Person({ draft: { name, email }, change }: PersonProps) {
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
        label="Email"
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
  // Cleared when the operator leaves the form.
  useEffect(() => () => change(''), [change]);
  return (
    <TextInput
      label="Initial password"
      description={`At least ${LENGTHS.operatorPassword} characters. Send it separately from the two-factor secret. The operator can change it in the user menu.`}
      required
      autoComplete="off"
      maxLength={LENGTHS.password}
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

function missingOf({ name, email }: OperatorDraft, password: string): string | undefined {
  if (name.trim() === '') return 'Enter a name';
  if (!EMAIL_ADDRESS.test(email)) return 'Enter an email address';
  if (password.length < LENGTHS.operatorPassword)
    return `The password needs at least ${LENGTHS.operatorPassword} characters`;
  return undefined;
}

function effectOf(draft: OperatorDraft, names: ReadonlyMap<string, string>): string[] {
  const { email, isPlatformAdmin, memberships } = draft;
  const roles = roleChanges([], memberships, names);
  return [
    `Adds ${email === '' ? 'the operator' : email}, who can sign in with the initial password and a two-factor code.`,
    ...(roles.length === 0 ? ['Assigns no role: the operator sees no marketplace.'] : roles),
    ...(isPlatformAdmin ? ['Allows the operator to add, change and disable operators.'] : []),
    'The two-factor secret and its setup link for authenticator apps are shown once.',
  ];
}
