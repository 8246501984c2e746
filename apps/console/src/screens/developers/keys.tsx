//! API keys: who calls with what rights, and when each was last used.

import type { ApiKey } from '@holdfast/sdk';
import { Group } from '@mantine/core';
import { useMemo } from 'react';
import { useUrlState } from '#app/go.tsx';
import { type ShowSecret, useSecretOnce } from '#parts/action/secret-once.tsx';
import { Cut } from '#parts/cut.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { DataTable } from '#parts/table/data-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { CreateKey, FetchSecret, RevokeKey, RotateKey } from '#screens/developers/key-actions.tsx';
import { KeyBadge } from '#screens/developers/key-badge.tsx';
import { KeyDrawer } from '#screens/developers/key-drawer.tsx';

const columnsWith = (showSecret: ShowSecret): readonly Column<ApiKey>[] => [
  {
    title: 'Name',
    show: ({ id, name }) => (
      <>
        <Cut text={name} />
        <IdLink id={id} isBare />
      </>
    ),
  },
  { title: 'Status', show: (key) => <KeyBadge apiKey={key} /> },
  { title: 'Scopes', show: ({ scopes }) => scopes.join(', ') },
  { title: 'Last used', show: ({ lastUsedAt }) => <Moment at={lastUsedAt} isShort /> },
  { title: 'Expires', show: ({ expiresAt }) => <Moment at={expiresAt} /> },
  { title: 'Created', show: ({ createdAt }) => <Moment at={createdAt} isShort /> },
  {
    title: 'Actions',
    show: (key) => (
      <Group gap="xs" wrap="nowrap">
        <FetchSecret apiKey={key} showSecret={showSecret} />
        <RotateKey apiKey={key} />
        <RevokeKey apiKey={key} />
      </Group>
    ),
  },
];

export function Keys() {
  const [state, change] = useUrlState();
  const { showSecret, shown } = useSecretOnce();
  const columns = useMemo(() => columnsWith(showSecret), [showSecret]);
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
        columns={columns}
        onOpen={({ id }) => change({ key: id })}
        empty={
          <EmptyState title="No API keys yet">
            Create one API key for each application that calls Holdfast, with only the scopes that
            it needs.
          </EmptyState>
        }
      />
      <KeyDrawer
        id={state['key']}
        close={() => change({ key: undefined })}
        showSecret={showSecret}
      />
      {shown}
    </>
  );
}
