//! Making an endpoint; its secret is shown once.
import { ADMIN } from '@holdfast/contract/roles';
import { EVENT_AGGREGATES, type NewWebhookEndpoint } from '@holdfast/sdk';
import { MultiSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast } from '#app/session.tsx';
import { ActionButton } from '#parts/action-button.tsx';
import { EffectList } from '#parts/effect-list.tsx';
import { SecretOnce } from '#parts/secret-once.tsx';
import { eventPatterns } from '#screens/webhooks/event-patterns.ts';

const PATTERNS = eventPatterns(Object.keys(EVENT_AGGREGATES));

export function CreateEndpoint() {
  const holdfast = useHoldfast();
  const [url, setUrl] = useState('');
  const [description, setDescription] = useState('');
  const [types, setTypes] = useState<string[]>(['*']);
  const [secret, setSecret] = useState<string>();
  const create = async (reason: string) => {
    const input = {
      url,
      types: types as unknown as NewWebhookEndpoint['types'],
      ...(description !== '' && { description }),
    };
    const made = await holdfast.webhookEndpoints.create(input, { reason });
    setSecret(made.secret);
    setUrl('');
    setDescription('');
  };
  return (
    <>
      <ActionButton
        label="Make an endpoint"
        isPrimary
        roles={ADMIN}
        title="Make a webhook endpoint"
        effect={
          <EffectList
            lines={[
              `Events that happen from now on are sent to ${url === '' ? 'the address' : url}.`,
              `Of these types: ${types.join(', ')}.`,
              'Its secret is shown once, when it is made.',
            ]}
          />
        }
        confirm="Make it"
        done="The endpoint is made"
        missing={missingOf(url, types)}
        touches={['WebhookEndpoint']}
        run={create}
      >
        <TextInput
          label="Address"
          placeholder="https://shop.example.com/webhooks"
          required
          data-autofocus
          value={url}
          onChange={({ currentTarget }) => setUrl(currentTarget.value.trim())}
        />
        <MultiSelect
          label="Types"
          data={PATTERNS}
          searchable
          value={types}
          onChange={setTypes}
          maxDropdownHeight={240}
        />
        <TextInput
          label="Description"
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
      </ActionButton>
      <SecretOnce
        secret={secret}
        what="Signing secret of the endpoint"
        close={() => setSecret(undefined)}
      />
    </>
  );
}

function missingOf(url: string, types: readonly string[]): string | undefined {
  if (!URL.canParse(url)) return 'Give an address';
  return types.length === 0 ? 'Choose what to send' : undefined;
}
