//! Filters that somebody uses often, kept under a name in this browser.
import { Button, Menu, TextInput } from '@mantine/core';
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
    <Menu closeOnItemClick width={260}>
      <Menu.Target>
        <Button variant="default">Views</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {views.length === 0 && <Menu.Label>Name these filters to find them again.</Menu.Label>}
        {views.map((view) => (
          <Menu.Item key={view.name} onClick={() => change({ ...none, ...view.state })}>
            {view.name}
          </Menu.Item>
        ))}
        {views.length > 0 && (
          <Menu.Item c="var(--hf-bad)" onClick={() => setViews([])}>
            Forget all views
          </Menu.Item>
        )}
        <Menu.Divider />
        <TextInput
          m={8}
          aria-label="Name of the view"
          placeholder="Name, then Enter"
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Enter' && save()}
        />
      </Menu.Dropdown>
    </Menu>
  );
}
