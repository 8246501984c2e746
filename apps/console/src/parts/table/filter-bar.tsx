//! Filters that are stored in the address: a link to a screen shows what its sender saw.
import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useUrlState } from '#app/go.tsx';
import { wordsOf } from '#parts/state-badge.tsx';
import { SavedViews } from '#parts/table/saved-views.tsx';

export interface Filter {
  /** The word in the address, which is the query's own. */
  readonly name: string;
  readonly label: string;
  /** States to choose from; text is typed where there are none. */
  readonly choices?: readonly string[];
  /** What a choice is called, where it is no state. */
  readonly words?: (choice: string) => string;
  readonly placeholder?: string;
  readonly type?: 'text' | 'date';
  /** Of a day: it is included. The query has the start of the next day. */
  readonly isLastDay?: boolean;
  /** Of a text that is sent only when it is complete: its pattern. */
  readonly accepts?: RegExp;
}

const PAUSE_MS = 350;

interface Props {
  /** Names the saved views of this screen. */
  readonly screen: string;
  readonly filters: readonly Filter[];
}

export function FilterBar({ screen, filters }: Props) {
  const [state, change] = useUrlState();
  const isFiltered = filters.some(({ name }) => state[name] !== undefined);
  const none = Object.fromEntries(filters.map(({ name }) => [name, undefined]));
  return (
    <Group gap="sm" mb="sm" align="flex-end" role="search" aria-label="Filters">
      {filters.map((filter) =>
        filter.choices === undefined ? (
          <TypedFilter
            key={filter.name}
            filter={filter}
            value={state[filter.name] ?? ''}
            change={(value) => change({ [filter.name]: value })}
          />
        ) : (
          <Select
            key={filter.name}
            label={filter.label}
            placeholder="All"
            clearable
            data={filter.choices.map((value) => ({
              value,
              label: (filter.words ?? wordsOf)(value),
            }))}
            value={state[filter.name] ?? null}
            onChange={(value) => change({ [filter.name]: value ?? undefined })}
            className="hf-filter"
          />
        ),
      )}
      {isFiltered && (
        <Button variant="default" onClick={() => change(none)}>
          Clear filters
        </Button>
      )}
      <SavedViews screen={screen} names={filters.map(({ name }) => name)} />
    </Group>
  );
}

interface TypedProps {
  readonly filter: Filter;
  readonly value: string;
  readonly change: (value: string) => void;
}

function TypedFilter({ filter, value, change }: TypedProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const later = useDebouncedCallback((typed: string) => {
    sent.current = typed;
    change(typed);
  }, PAUSE_MS);
  useEffect(() => {
    // The typed text comes back through the address while the operator may still be typing.
    if (value === sent.current) return;
    later.cancel();
    sent.current = value;
    setText(value);
  }, [value, later]);
  return (
    <TextInput
      label={filter.label}
      type={filter.type ?? 'text'}
      {...(filter.placeholder !== undefined && { placeholder: filter.placeholder })}
      value={text}
      className="hf-filter"
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        later(currentTarget.value.trim());
      }}
    />
  );
}
