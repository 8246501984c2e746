//! One API key: what it may do, until when, what it calls, and what can be done with it.
import type { ApiKey } from '@holdfast/sdk';
import { Group, Stack } from '@mantine/core';
import { Go } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import type { Tell } from '#parts/secret-once.tsx';
import { SideDrawer } from '#parts/side-drawer.tsx';
import { RevokeKey, RotateKey } from '#screens/developers/key-actions.tsx';
import { KeyBadge } from '#screens/developers/key-badge.tsx';

interface Props {
  /** Undefined while none is open. */
  readonly id: string | undefined;
  readonly close: () => void;
  readonly tell: Tell;
}

export function KeyDrawer({ id, close, tell }: Props) {
  return (
    <SideDrawer isOpen={id !== undefined} close={close} title="API key">
      {id !== undefined && <Found key={id} id={id} tell={tell} />}
    </SideDrawer>
  );
}

function Found({ id, tell }: { readonly id: string; readonly tell: Tell }) {
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
          <Shown apiKey={found} tell={tell} />
        )
      }
    </Loaded>
  );
}

function Shown({ apiKey, tell }: { readonly apiKey: ApiKey; readonly tell: Tell }) {
  const { id, name, scopes } = apiKey;
  return (
    <Stack>
      <Facts
        rows={[
          ['Name', name],
          ['State', <KeyBadge key="state" apiKey={apiKey} />],
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
        <RotateKey apiKey={apiKey} tell={tell} />
        <RevokeKey apiKey={apiKey} />
      </Group>
    </Stack>
  );
}
