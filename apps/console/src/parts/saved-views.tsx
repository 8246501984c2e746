//! Filters that somebody uses often, kept under a name in this browser.
import { Button, Popover, Stack, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useState } from 'react';
import { useUrlState } from '#app/go.tsx';
import type { UrlState } from '#app/url-state.ts';

interface SavedView {
  readonly name: string;
  readonly state: UrlState;
}

interface Props {
  readonly screen: string;
  readonly names: readonly string[];
}

export function SavedViews({ screen, names }: Props) {
  const [state, change] = useUrlState();
  const [views, setViews] = useLocalStorage<readonly SavedView[]>({
    key: `holdfast.views.${screen}`,
    defaultValue: [],
  });
  const [name, setName] = useState('');
  const none = Object.fromEntries(names.map((one) => [one, undefined]));
  const kept = Object.fromEntries(Object.entries(state).filter(([one]) => names.includes(one)));
  const save = () => {
    if (name.trim() === '') return;
    const others = views.filter((view) => view.name !== name.trim());
    setViews([...others, { name: name.trim(), state: kept }]);
    setName('');
  };
  return (
    <Popover width={260} position="bottom-start" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default">Views</Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Saved views">
        <Stack gap="xs">
          {views.map((view) => (
            <Button
              key={view.name}
              variant="subtle"
              size="compact-sm"
              justify="flex-start"
              onClick={() => change({ ...none, ...view.state })}
            >
              {view.name}
            </Button>
          ))}
          <TextInput
            label="Name of the view"
            description="Keeps these filters in this browser"
            placeholder="Name, then Enter"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            onKeyDown={({ key }) => key === 'Enter' && save()}
          />
          {views.length > 0 && (
            <Button size="compact-sm" variant="default" onClick={() => setViews([])}>
              Forget all views
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
