//! API keys: who calls with what rights, and when each was last used.

import type { ApiKey } from '@holdfast/sdk';
import { Group } from '@mantine/core';
import { useMemo } from 'react';
import { useUrlState } from '#app/go.tsx';
import { Cut } from '#parts/cut.tsx';
import { DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { type Tell, useSecretOnce } from '#parts/secret-once.tsx';
import type { Column } from '#parts/table-columns.tsx';
import { CreateKey, RevokeKey, RotateKey } from '#screens/developers/key-actions.tsx';
import { KeyBadge } from '#screens/developers/key-badge.tsx';
import { KeyDrawer } from '#screens/developers/key-drawer.tsx';

const columnsWith = (tell: Tell): readonly Column<ApiKey>[] => [
  {
    title: 'Name',
    show: ({ id, name }) => (
      <>
        <Cut text={name} />
        <IdLink id={id} isBare />
      </>
    ),
  },
  { title: 'State', show: (key) => <KeyBadge apiKey={key} /> },
  { title: 'Scopes', show: ({ scopes }) => scopes.join(', ') },
  { title: 'Last used', show: ({ lastUsedAt }) => <Moment at={lastUsedAt} isShort /> },
  { title: 'Ends', show: ({ expiresAt }) => <Moment at={expiresAt} /> },
  { title: 'Made', show: ({ createdAt }) => <Moment at={createdAt} isShort /> },
  {
    title: 'Actions',
    show: (key) => (
      <Group gap="xs" wrap="nowrap">
        <RotateKey apiKey={key} tell={tell} />
        <RevokeKey apiKey={key} />
      </Group>
    ),
  },
];

export function Keys() {
  const [state, change] = useUrlState();
  const { tell, shown } = useSecretOnce();
  const columns = useMemo(() => columnsWith(tell), [tell]);
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <CreateKey tell={tell} />
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
          <EmptyState title="No keys yet">
            Make one for each program that calls Holdfast, with no more scopes than it needs.
          </EmptyState>
        }
      />
      <KeyDrawer id={state['key']} close={() => change({ key: undefined })} tell={tell} />
      {shown}
    </>
  );
}
