//! Requests, rotates and revokes keys. A secret is shown once, to the operator who requested it.

import { SCOPES } from '@holdfast/contract/enums';
import { KEY_OVERLAP_SECONDS, OPERATOR_KEY_DAYS_MAX } from '@holdfast/contract/limits';
import { ADMIN } from '@holdfast/contract/roles';
import type { ApiKey, Scope } from '@holdfast/sdk';
import { Checkbox, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { clockNow } from '#app/now.ts';
import { CodeField, missingCode } from '#app/session/code-field.tsx';
import { useSession } from '#app/session/session.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';
import type { ShowSecret } from '#parts/action/secret-once.tsx';
import { OVERLAPS } from '#parts/chart/overlaps.ts';
import { useKeyState } from '#screens/developers/key-badge.tsx';

const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  read: 'read: view all data, no changes',
  write: 'write: users, orders, top-ups, withdrawals, webhooks',
  support: 'support: resolve disputes and reconciliation exceptions',
};

const DAY_MS = 86_400_000;

/** As a date field has it. */
const dateIn = (days: number) => new Date(clockNow() + days * DAY_MS).toISOString().slice(0, 10);

const TWO_OPERATORS = [
  'Another admin must approve the request. Then you fetch the secret here, once.',
  'The key ends if you are disabled or are no longer an admin.',
];

export function CreateKey() {
  const { holdfast, marketplaceId, marketplaceName } = useSession();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<string[]>(['read']);
  const [expiresAt, setExpiry] = useState(dateIn(OPERATOR_KEY_DAYS_MAX));
  const [totp, setTotp] = useState('');
  const create = (reason: string) =>
    holdfast.keys
      .create({ name, scopes: scopes as Scope[], marketplaceId, expiresAt, totp }, { reason })
      .outcome()
      .finally(() => setTotp(''));
  return (
    <ActionButton
      label="Create API key"
      isPrimary
      roles={ADMIN}
      title="Create API key"
      effect={
        <EffectList
          lines={[
            `Creates an API key for ${marketplaceName}, valid until ${expiresAt} 00:00 UTC.`,
            `Scopes: ${scopes.length === 0 ? 'none selected' : scopes.join(', ')}.`,
            ...TWO_OPERATORS,
          ]}
        />
      }
      confirm="Request approval"
      missing={missingOf(name, scopes) ?? missingExpiry(expiresAt) ?? missingCode(totp)}
      touches={['Key']}
      run={create}
    >
      <TextInput
        label="Name"
        description="The application that uses the key"
        required
        data-autofocus
        maxLength={100}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Checkbox.Group label="Scopes" value={scopes} onChange={setScopes}>
        <Group mt="xs">
          {SCOPES.map((scope) => (
            <Checkbox key={scope} value={scope} label={SCOPE_WORDS[scope]} />
          ))}
        </Group>
      </Checkbox.Group>
      <ExpiryField value={expiresAt} change={setExpiry} />
      <CodeField value={totp} change={setTotp} />
    </ActionButton>
  );
}

function ExpiryField({
  value,
  change,
}: {
  readonly value: string;
  readonly change: (value: string) => void;
}) {
  return (
    <TextInput
      type="date"
      label="Expires (UTC)"
      description={`At most ${OPERATOR_KEY_DAYS_MAX} days from now`}
      required
      max={dateIn(OPERATOR_KEY_DAYS_MAX)}
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  );
}

function missingOf(name: string, scopes: readonly string[]): string | undefined {
  if (name.trim() === '') return 'Enter a name';
  return scopes.length === 0 ? 'Choose a scope' : undefined;
}

function missingExpiry(value: string): string | undefined {
  return value === '' ? 'Choose an expiry date' : undefined;
}

interface Props {
  readonly apiKey: ApiKey;
}

export function RotateKey({ apiKey }: Props) {
  const { holdfast } = useSession();
  const [overlap, setOverlap] = useState('1 day');
  const [expiresAt, setExpiry] = useState(dateIn(OPERATOR_KEY_DAYS_MAX));
  const [totp, setTotp] = useState('');
  const state = useKeyState(apiKey);
  const overlapSeconds = OVERLAPS[overlap] ?? KEY_OVERLAP_SECONDS.default;
  return (
    <ActionButton
      label="Rotate"
      isSmall
      roles={ADMIN}
      whyNot={isOver(state) ? 'The key is no longer valid' : undefined}
      title={`Rotate ${apiKey.name}`}
      effect={
        <EffectList
          lines={[
            `Creates a new key with the same scopes, valid until ${expiresAt} 00:00 UTC.`,
            overlapSeconds === 0
              ? 'The old key stops working with the approval.'
              : `After the approval, the old key stays valid for ${overlap}, then expires.`,
            ...TWO_OPERATORS,
          ]}
        />
      }
      confirm="Request approval"
      missing={missingExpiry(expiresAt) ?? missingCode(totp)}
      touches={['Key']}
      run={(reason) =>
        holdfast.keys
          .rotate(apiKey.id, { overlapSeconds, expiresAt, totp }, { reason })
          .outcome()
          .finally(() => setTotp(''))
      }
    >
      <Select
        label="Old key valid for"
        data={Object.keys(OVERLAPS)}
        allowDeselect={false}
        value={overlap}
        onChange={(value) => value !== null && setOverlap(value)}
      />
      <ExpiryField value={expiresAt} change={setExpiry} />
      <CodeField value={totp} change={setTotp} />
    </ActionButton>
  );
}

/** For the operator who requested the key, until they have fetched the secret. */
export function FetchSecret({ apiKey, showSecret }: Props & { readonly showSecret: ShowSecret }) {
  const { holdfast, session } = useSession();
  const state = useKeyState(apiKey);
  if (apiKey.hasSecret !== false || apiKey.createdBy?.id !== session.operator.id) return null;
  const run = async (reason: string) => {
    const { key: secret } = await holdfast.keys.fetchSecret(apiKey.id, { reason });
    const ifLost = 'Revoke the key and request another.';
    showSecret({ what: `Secret of ${apiKey.name}`, secret, ifLost });
  };
  return (
    <ActionButton
      label="Fetch secret"
      isSmall
      roles={ADMIN}
      whyNot={isOver(state) ? 'The key is no longer valid' : undefined}
      title={`Fetch the secret of ${apiKey.name}`}
      effect={<EffectList lines={['Shows the secret once. From then on, the key works.']} />}
      confirm="Fetch secret"
      done={`Secret of ${apiKey.name} fetched`}
      touches={['Key']}
      run={run}
    />
  );
}

export function RevokeKey({ apiKey }: Props) {
  const { holdfast } = useSession();
  const state = useKeyState(apiKey);
  return (
    <ActionButton
      label="Revoke"
      isSmall
      roles={ADMIN}
      whyNot={isOver(state) ? 'The key is no longer valid' : undefined}
      title={`Revoke ${apiKey.name}`}
      effect={
        <EffectList
          lines={[
            'The key and all tokens issued from it stop working immediately.',
            'Applications that use the key get 401 errors until you give them another key.',
          ]}
        />
      }
      confirm="Revoke"
      done={`${apiKey.name} revoked`}
      isIrreversible
      touches={['Key']}
      run={(reason) => holdfast.keys.revoke(apiKey.id, { reason })}
    />
  );
}

function isOver(state: string): boolean {
  return state === 'REVOKED' || state === 'EXPIRED';
}
