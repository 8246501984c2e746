//! Making, rotating and revoking keys. A secret is shown once.
import { KEY_OVERLAP_SECONDS } from '@holdfast/contract/limits';
import { ADMIN } from '@holdfast/contract/roles';
import { SCOPES } from '@holdfast/contract/words';
import type { ApiKey, Scope } from '@holdfast/sdk';
import { Checkbox, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '#app/session.tsx';
import { ActionButton } from '#parts/action-button.tsx';
import { EffectList } from '#parts/effect-list.tsx';
import { OVERLAPS } from '#parts/overlaps.ts';
import type { Tell } from '#parts/secret-once.tsx';
import { useKeyState } from '#screens/developers/key-badge.tsx';

const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  read: 'read: see everything, change nothing',
  write: 'write: users, orders, top-ups, withdrawals, webhooks',
  support: 'support: decide disputes, resolve exceptions',
};

/** A key whose secret nobody has read is of no use. */
const IF_LOST = 'Revoke the new key in the list and make another.';

export function CreateKey({ tell }: { readonly tell: Tell }) {
  const { holdfast, marketplaceId, marketplaceName } = useSession();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<string[]>(['read']);
  const [expiry, setExpiry] = useState('');
  const create = async (reason: string) => {
    const made = await holdfast.keys.create(
      {
        name,
        scopes: scopes as Scope[],
        marketplaceId,
        ...(expiry !== '' && { expiresAt: expiry }),
      },
      { reason },
    );
    tell({ what: 'The new key', secret: made.key, ifLost: IF_LOST });
    setName('');
  };
  return (
    <ActionButton
      label="Make a key"
      isPrimary
      roles={ADMIN}
      title="Make an API key"
      effect={
        <EffectList
          lines={[
            `Whoever has it may ${scopes.join(', ')} in ${marketplaceName}${expiry === '' ? ', until it is revoked' : `, until ${expiry}`}.`,
            'Its secret is shown once, when it is made.',
          ]}
        />
      }
      confirm="Make it"
      done="The key is made"
      missing={name.trim() === '' ? 'Name it' : scopes.length === 0 ? 'Choose scopes' : undefined}
      touches={['Key']}
      run={create}
    >
      <TextInput
        label="Name"
        description="Which program has it"
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
        label="Ends (UTC)"
        description="Empty: it does not end by itself"
        value={expiry}
        onChange={({ currentTarget }) => setExpiry(currentTarget.value)}
      />
    </ActionButton>
  );
}

interface Props {
  readonly apiKey: ApiKey;
}

export function RotateKey({ apiKey, tell }: Props & { readonly tell: Tell }) {
  const { holdfast } = useSession();
  const [overlap, setOverlap] = useState('1 day');
  const state = useKeyState(apiKey);
  const overlapSeconds = OVERLAPS[overlap] ?? KEY_OVERLAP_SECONDS.default;
  return (
    <ActionButton
      label="Rotate"
      isSmall
      roles={ADMIN}
      whyNot={isOver(state) ? 'It does not work any more' : undefined}
      title={`Rotate ${apiKey.name}`}
      effect={
        <EffectList
          lines={[
            'Makes a successor with the same rights; its secret is shown once.',
            overlapSeconds === 0
              ? 'The old key stops working at once.'
              : `The old key works for ${overlap} more, then it ends.`,
          ]}
        />
      }
      confirm="Rotate"
      done={`${apiKey.name} has a successor`}
      touches={['Key']}
      run={async (reason) => {
        const made = await holdfast.keys.rotate(apiKey.id, { overlapSeconds }, { reason });
        tell({ what: `Successor of ${apiKey.name}`, secret: made.key, ifLost: IF_LOST });
      }}
    >
      <Select
        label="The old key works too for"
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
      whyNot={isOver(state) ? 'It does not work any more' : undefined}
      title={`Revoke ${apiKey.name}`}
      effect={
        <EffectList
          lines={[
            'The key and every token made from it stop working at once.',
            'What calls with it gets 401 until it has another key.',
          ]}
        />
      }
      confirm="Revoke"
      done={`${apiKey.name} is revoked`}
      isIrreversible
      touches={['Key']}
      run={(reason) => holdfast.keys.revoke(apiKey.id, { reason })}
    />
  );
}

function isOver(state: string): boolean {
  return state === 'REVOKED' || state === 'EXPIRED';
}
