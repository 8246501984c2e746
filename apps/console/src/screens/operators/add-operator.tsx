//! Invites an operator; the link for the person is shown once.
import { LENGTHS } from '@holdfast/contract/limits';
import { Checkbox, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast } from '#app/session/session.tsx';
import { useSecretOnce } from '#parts/action/secret-once.tsx';
import { EMAIL_ADDRESS } from '#parts/words/email-address.ts';
import { roleChanges, type WantedRole } from '#parts/words/membership-words.ts';
import { issuedLink } from '#screens/operators/issued-link.ts';
import { MembershipFields, useMarketplaces } from '#screens/operators/membership-fields.tsx';
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
  const { showSecret, shown } = useSecretOnce();
  const change = (changed: Partial<OperatorDraft>) =>
    setDraft((before) => ({ ...before, ...changed }));
  const add = async (reason: string, totp: string) => {
    const named = { ...draft, name: draft.name.trim(), totp };
    const created = await holdfast.operators.create(named, { reason });
    setDraft(EMPTY_DRAFT);
    showSecret(issuedLink(created));
  };
  return (
    <>
      <OperatorAction
        label="Invite operator"
        isPrimary
        title="Invite operator"
        lines={effectOf(draft, names)}
        confirm="Invite"
        done={`Operator ${draft.name.trim()} invited`}
        missing={missingOf(draft)}
        run={add}
      >
        <Person draft={draft} change={change} />
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

function missingOf({ name, email }: OperatorDraft): string | undefined {
  if (name.trim() === '') return 'Enter a name';
  if (!EMAIL_ADDRESS.test(email)) return 'Enter an email address';
  return undefined;
}

function effectOf(draft: OperatorDraft, names: ReadonlyMap<string, string>): string[] {
  const { email, isPlatformAdmin, memberships } = draft;
  const roles = roleChanges([], memberships, names);
  return [
    `Creates a link for ${email === '' ? 'the person' : email} to set a password and two-factor authentication. It is shown once, to you.`,
    ...(roles.length === 0 ? ['Assigns no role: the operator sees no marketplace.'] : roles),
    ...(isPlatformAdmin ? ['Allows the operator to invite, change and disable operators.'] : []),
    'Another platform admin has to activate the account. For 24 hours after that, the operator cannot approve anything.',
  ];
}
