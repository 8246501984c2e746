//! Creates, rotates and revokes keys. A secret is shown once.

import { SCOPES } from '@holdfast/contract/enums';
import { KEY_OVERLAP_SECONDS } from '@holdfast/contract/limits';
import { ADMIN } from '@holdfast/contract/roles';
import type { ApiKey, Scope } from '@holdfast/sdk';
import { Checkbox, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
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

/** A key whose secret was not read is of no use. */
const IF_LOST = 'Revoke the new key and create another.';

export function CreateKey({ showSecret }: { readonly showSecret: ShowSecret }) {
  const { holdfast, marketplaceId, marketplaceName } = useSession();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<string[]>(['read']);
  const [expiry, setExpiry] = useState('');
  const create = async (reason: string) => {
    const created = await holdfast.keys.create(
      {
        name,
        scopes: scopes as Scope[],
        marketplaceId,
        ...(expiry !== '' && { expiresAt: expiry }),
      },
      { reason },
    );
    showSecret({ what: 'New API key', secret: created.key, ifLost: IF_LOST });
    setName('');
  };
  return (
    <ActionButton
      label="Create API key"
      isPrimary
      roles={ADMIN}
      title="Create API key"
      effect={
        <EffectList
          lines={[
            `Creates an API key for ${marketplaceName}, valid until ${expiry === '' ? 'revoked' : `${expiry} 00:00 UTC`}.`,
            `Scopes: ${scopes.length === 0 ? 'none selected' : scopes.join(', ')}.`,
            'The key is shown once.',
          ]}
        />
      }
      confirm="Create"
      done="API key created"
      missing={
        name.trim() === '' ? 'Enter a name' : scopes.length === 0 ? 'Choose a scope' : undefined
      }
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
      <TextInput
        type="date"
        label="Expires (UTC)"
        description="Leave empty for no expiry"
        value={expiry}
        onChange={({ currentTarget }) => setExpiry(currentTarget.value)}
      />
    </ActionButton>
  );
}

interface Props {
  readonly apiKey: ApiKey;
}

export function RotateKey({ apiKey, showSecret }: Props & { readonly showSecret: ShowSecret }) {
  const { holdfast } = useSession();
  const [overlap, setOverlap] = useState('1 day');
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
            'Creates a new key with the same scopes. The new key is shown once.',
            overlapSeconds === 0
              ? 'The old key stops working immediately.'
              : `The old key stays valid for ${overlap}, then expires.`,
          ]}
        />
      }
      confirm="Rotate"
      done={`${apiKey.name} rotated`}
      touches={['Key']}
      run={async (reason) => {
        const created = await holdfast.keys.rotate(apiKey.id, { overlapSeconds }, { reason });
        showSecret({
          what: `New API key for ${apiKey.name}`,
          secret: created.key,
          ifLost: IF_LOST,
        });
      }}
    >
      <Select
        label="Old key valid for"
        data={Object.keys(OVERLAPS)}
        allowDeselect={false}
        value={overlap}
        onChange={(value) => value !== null && setOverlap(value)}
      />
    </ActionButton>
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
