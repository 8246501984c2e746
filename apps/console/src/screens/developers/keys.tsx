//! API keys: who calls with what rights, and when each was last used.
import type { ApiKey } from '@holdfast/sdk';
import { Group } from '@mantine/core';
import { useUrlState } from '#app/go.tsx';
import { clockNow } from '#app/now.ts';
import { type Column, DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { CreateKey, RevokeKey, RotateKey } from '#screens/developers/key-actions.tsx';
import { KeyDrawer } from '#screens/developers/key-drawer.tsx';
import { keyState } from '#screens/developers/key-state.ts';

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    title: 'Name',
    show: ({ id, name }) => (
      <>
        {name} <IdLink id={id} isBare />
      </>
    ),
  },
  { title: 'State', show: (key) => <StateBadge state={keyState(key, clockNow())} /> },
  { title: 'Scopes', show: ({ scopes }) => scopes.join(', ') },
  { title: 'Last used', show: ({ lastUsedAt }) => <Moment at={lastUsedAt} isShort /> },
  { title: 'Ends', show: ({ expiresAt }) => <Moment at={expiresAt} isShort /> },
  { title: 'Made', show: ({ createdAt }) => <Moment at={createdAt} isShort /> },
  {
    title: 'Actions',
    show: (key) => (
      <Group gap="xs" wrap="nowrap">
        <RotateKey apiKey={key} />
        <RevokeKey apiKey={key} />
      </Group>
    ),
  },
];

export function Keys() {
  const [state, change] = useUrlState();
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <CreateKey />
      </Group>
      <DataTable
        label="API keys"
        topic="Key"
        queryKey={['keys']}
        list={(holdfast, signal) => holdfast.keys.list({ limit: 100 }, { signal })}
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={({ id }) => change({ key: id })}
        empty={
          <EmptyState title="No keys yet">
            Make one for each program that calls Holdfast, with no more scopes than it needs.
          </EmptyState>
        }
      />
      <KeyDrawer id={state['key']} close={() => change({ key: undefined })} />
    </>
  );
}
