//! Where an endpoint is and what it wants: the same fields for making one and for changing one.
import { LENGTHS } from '@holdfast/contract/limits';
import { EVENT_AGGREGATES } from '@holdfast/sdk';
import { MultiSelect, TextInput } from '@mantine/core';
import type { EndpointWish } from '#screens/webhooks/endpoint-wish.ts';
import { eventPatterns } from '#screens/webhooks/event-patterns.ts';

const PATTERNS = eventPatterns(Object.keys(EVENT_AGGREGATES));

interface Props {
  readonly wish: EndpointWish;
  readonly change: (changes: Partial<EndpointWish>) => void;
}

export function EndpointFields({ wish: { url, types, description }, change }: Props) {
  return (
    <>
      <TextInput
        label="Address"
        placeholder="https://shop.example.com/webhooks"
        required
        data-autofocus
        maxLength={LENGTHS.url}
        value={url}
        onChange={({ currentTarget }) => change({ url: currentTarget.value.trim() })}
      />
      <MultiSelect
        label="Types"
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
