//! Saved views: filters stored under a name in this browser, for one operator.
import { Button, CloseButton, Group, Popover, Stack, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useState } from 'react';
import { useUrlState } from '#app/go.tsx';
import { useSession } from '#app/session/session.tsx';
import type { UrlState } from '#app/url-state.ts';

interface SavedView {
  readonly name: string;
  readonly state: UrlState;
}

interface Props {
  readonly screen: string;
  readonly names: readonly string[];
}

/** Ids in filters mean one marketplace, and a browser may have several people. */
export function SavedViews({ screen, names }: Props) {
  const { session, marketplaceId } = useSession();
  const storageKey = ['holdfast.views', session.operator.id, marketplaceId, screen].join('.');
  return <Views key={storageKey} storageKey={storageKey} names={names} />;
}

interface ViewsProps {
  /** Where this browser keeps them. */
  readonly storageKey: string;
  readonly names: readonly string[];
}

function Views({ storageKey, names }: ViewsProps) {
  const [state, change] = useUrlState();
  const [views, setViews] = useLocalStorage<readonly SavedView[]>({
    key: storageKey,
    defaultValue: [],
  });
  const [name, setName] = useState('');
  const none = Object.fromEntries(names.map((one) => [one, undefined]));
  const filters = Object.fromEntries(Object.entries(state).filter(([one]) => names.includes(one)));
  const without = (gone: string) => views.filter((view) => view.name !== gone);
  const save = () => {
    if (name.trim() === '') return;
    setViews([...without(name.trim()), { name: name.trim(), state: filters }]);
    setName('');
  };
  return (
    <Popover width={260} position="bottom-start" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default">Saved views</Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Saved views">
        <Stack gap="xs">
          {views.map((view) => (
            <Group key={view.name} gap={4} wrap="nowrap">
              <Button
                variant="subtle"
                size="compact-sm"
                justify="flex-start"
                flex={1}
                onClick={() => change({ ...none, ...view.state })}
              >
                {view.name}
              </Button>
              <CloseButton
                size="sm"
                aria-label={`Delete view ${view.name}`}
                onClick={() => setViews(without(view.name))}
              />
            </Group>
          ))}
          <TextInput
            label="View name"
            description="Saves the current filters in this browser"
            placeholder="Name, then press Enter"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            onKeyDown={({ key }) => key === 'Enter' && save()}
          />
          {views.length > 0 && (
            <Button size="compact-sm" variant="default" onClick={() => setViews([])}>
              Delete all views
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
