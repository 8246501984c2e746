//! One API key: what it may do, until when, what it calls, and what can be done with it.
import type { ApiKey } from '@holdfast/sdk';
import { Drawer, Group, Stack } from '@mantine/core';
import { Go } from '#app/go.tsx';
import { clockNow } from '#app/now.ts';
import { useRead } from '#app/read.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { RevokeKey, RotateKey } from '#screens/developers/key-actions.tsx';
import { keyState } from '#screens/developers/key-state.ts';

interface Props {
  /** Undefined while none is open. */
  readonly id: string | undefined;
  readonly close: () => void;
}

export function KeyDrawer({ id, close }: Props) {
  return (
    <Drawer opened={id !== undefined} onClose={close} position="right" size="lg" title="API key">
      {id !== undefined && <Found id={id} />}
    </Drawer>
  );
}

function Found({ id }: { readonly id: string }) {
  const key = useRead('Key', ['one', id], async (holdfast, signal) => {
    for await (const one of holdfast.keys.list({ limit: 100 }, { signal })) {
      if (one.id === id) return one;
    }
    return null;
  });
  return (
    <Loaded of={key}>
      {(found) =>
        found === null ? (
          <EmptyState title="There is no such key here">
            It belongs to another marketplace, or the link is not whole.
          </EmptyState>
        ) : (
          <Shown apiKey={found} />
        )
      }
    </Loaded>
  );
}

function Shown({ apiKey }: { readonly apiKey: ApiKey }) {
  const { id, name, scopes } = apiKey;
  return (
    <Stack>
      <Facts
        rows={[
          ['Name', name],
          ['State', <StateBadge key="state" state={keyState(apiKey, clockNow())} />],
          ['Key', <IdLink key="id" id={id} to={null} />],
          ['Scopes', scopes.join(', ')],
          ['Successor of', <IdLink key="from" id={apiKey.rotatedFrom} />],
          ['Last used', <Moment key="used" at={apiKey.lastUsedAt} />],
          ['Ends', <Moment key="ends" at={apiKey.expiresAt} />],
          ['Revoked', <Moment key="revoked" at={apiKey.revokedAt} />],
          ['Made', <Moment key="made" at={apiKey.createdAt} />],
        ]}
      />
      <Group gap="md">
        <Go to={`/developers?tab=requests&actorId=${id}`} size="sm">
          What it called
        </Go>
        <Go to={`/audit?actorId=${id}`} size="sm">
          What it changed
        </Go>
      </Group>
      <Group gap="xs">
        <RotateKey apiKey={apiKey} />
        <RevokeKey apiKey={apiKey} />
      </Group>
    </Stack>
  );
}
