//! The fields of an endpoint, the same for creating and for changing one.
import { LENGTHS } from '@holdfast/contract/limits';
import { EVENT_AGGREGATES } from '@holdfast/sdk';
import { MultiSelect, TextInput } from '@mantine/core';
import type { EndpointDraft } from '#screens/webhooks/endpoint-draft.ts';
import { eventPatterns } from '#screens/webhooks/event-patterns.ts';

const PATTERNS = eventPatterns(Object.keys(EVENT_AGGREGATES));

interface Props {
  readonly draft: EndpointDraft;
  readonly change: (changes: Partial<EndpointDraft>) => void;
}

export function EndpointFields({ draft: { url, types, description }, change }: Props) {
  return (
    <>
      <TextInput
        label="URL"
        placeholder="https://shop.example.com/webhooks"
        required
        data-autofocus
        maxLength={LENGTHS.url}
        value={url}
        onChange={({ currentTarget }) => change({ url: currentTarget.value.trim() })}
      />
      <MultiSelect
        label="Event types"
        data={PATTERNS}
        searchable
        value={[...types]}
        onChange={(wanted) => change({ types: wanted })}
        maxDropdownHeight={240}
      />
      <TextInput
        label="Description"
        maxLength={LENGTHS.description}
        value={description}
        onChange={({ currentTarget }) => change({ description: currentTarget.value })}
      />
    </>
  );
}
