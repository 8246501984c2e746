//! Search by any id: ours, the marketplace's, a provider's, a hash, a blockchain or email address.
import type { SearchHit } from '@holdfast/sdk';
import { Group, Loader, Modal, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react';
import { useGo } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { routeOf } from '#app/routes.ts';
import { ErrorAlert } from '#parts/error-alert.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { fieldWords } from '#parts/words/field-words.ts';
import { recordTitle } from '#parts/words/record-title.ts';

const LETTERS_MIN = 3;
const PAUSE_MS = 180;

interface Props {
  readonly isOpen: boolean;
  readonly close: () => void;
}

export function SearchPalette({ isOpen, close }: Props) {
  return (
    <Modal opened={isOpen} onClose={close} title="Search" size="lg" yOffset="10vh">
      {isOpen && <Finder close={close} />}
    </Modal>
  );
}

function Finder({ close }: { readonly close: () => void }) {
  const go = useGo();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const typed = text.trim();
  const [debounced] = useDebouncedValue(typed, PAUSE_MS);
  const { data, error, isFetching } = useRead(
    'Config',
    ['search', debounced],
    (holdfast, signal) => holdfast.search.find({ q: debounced }, { signal }),
    { isEnabled: debounced.length >= LETTERS_MIN },
  );
  // What was found for another text is nothing to choose from.
  const isCurrent = debounced === typed;
  const found = isCurrent ? data?.hits : undefined;
  const hits = found ?? [];
  const open = (hit: SearchHit | undefined) => {
    const route = hit && routeOf(hit.goTo.type, hit.goTo.id);
    if (route === undefined) return;
    go(route);
    close();
  };
  const isSettled = isCurrent && (data !== undefined || error !== null);
  const enter = useEnter(isSettled, () => open(hits[at]));
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((before) => Math.max(0, Math.min(hits.length - 1, before + step)));
    }
    if (event.key === 'Enter') enter(typed.length >= LETTERS_MIN);
  };
  return (
    <Stack gap="sm">
      <TextInput
        aria-label="ID, reference, transaction hash, blockchain address or email address"
        placeholder="ord_…, reference, transaction hash, email address"
        data-autofocus
        value={text}
        rightSection={isFetching ? <Loader size="xs" /> : null}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setAt(0);
          enter(false);
        }}
        onKeyDown={onKey}
      />
      {error && <ErrorAlert error={error} />}
      {hits.length > 0 && (
        <Stack gap={2} role="listbox" aria-label="Search results">
          {hits.map((hit, index) => (
            <Hit
              key={`${hit.type}${hit.id}${hit.matchedBy}`}
              hit={hit}
              isAt={index === at}
              open={open}
            />
          ))}
        </Stack>
      )}
      <Text size="sm" c="dimmed" role="status">
        {hint(typed, found?.length)}
      </Text>
    </Stack>
  );
}

/** When the operator pastes and presses Enter at once, the page opens as soon as it is found. */
function useEnter(isSettled: boolean, open: () => void): (isEntered: boolean) => void {
  const [isEntered, setEntered] = useState(false);
  const openNow = useEffectEvent(open);
  useEffect(() => {
    if (!isEntered || !isSettled) return;
    setEntered(false);
    openNow();
  }, [isEntered, isSettled]);
  return setEntered;
}

function hint(typed: string, found: number | undefined): string {
  if (typed.length < LETTERS_MIN)
    return 'Enter at least 3 characters. The beginning of an ID is enough.';
  if (found === undefined) return 'Searching…';
  if (found === 0) return 'No results in this marketplace. Check the spelling, or try another ID.';
  return `${found === 1 ? '1 result' : `${found} results`}. Arrow keys to select, Enter to open.`;
}

interface HitProps {
  readonly hit: SearchHit;
  readonly isAt: boolean;
  readonly open: (hit: SearchHit) => void;
}

function Hit({ hit, isAt, open }: HitProps) {
  return (
    <UnstyledButton
      role="option"
      aria-selected={isAt}
      onClick={() => open(hit)}
      p={8}
      bg={isAt ? 'var(--hf-mark)' : undefined}
      bdrs="sm"
    >
      <Group justify="space-between" wrap="nowrap">
        <div>
          <Text size="sm" fw={600}>
            {fieldWords(hit.type)}: {recordTitle(hit.type, hit.title)}
          </Text>
          <Text size="xs" c="dimmed">
            {fieldWords(hit.matchedBy)} <span className="hf-id">{hit.matched}</span>
          </Text>
        </div>
        {hit.status !== null && <StateBadge state={hit.status} />}
      </Group>
    </UnstyledButton>
  );
}
