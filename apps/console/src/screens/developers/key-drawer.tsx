//! One API key: its scope, expiry, recent calls, and actions.
import type { ApiKey } from '@holdfast/sdk';
import { Group, Stack } from '@mantine/core';
import { Go } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import type { ShowSecret } from '#parts/action/secret-once.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { SideDrawer } from '#parts/side-drawer.tsx';
import { FetchSecret, RevokeKey, RotateKey } from '#screens/developers/key-actions.tsx';
import { KeyBadge } from '#screens/developers/key-badge.tsx';

interface Props {
  /** Undefined while none is open. */
  readonly id: string | undefined;
  readonly close: () => void;
  readonly showSecret: ShowSecret;
}

export function KeyDrawer({ id, close, showSecret }: Props) {
  return (
    <SideDrawer isOpen={id !== undefined} close={close} title="API key">
      {id !== undefined && <Found key={id} id={id} showSecret={showSecret} />}
    </SideDrawer>
  );
}

function Found({ id, showSecret }: { readonly id: string; readonly showSecret: ShowSecret }) {
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
          <EmptyState title="API key not found">
            Check the link. The key may belong to another marketplace.
          </EmptyState>
        ) : (
          <Shown apiKey={found} showSecret={showSecret} />
        )
      }
    </Loaded>
  );
}

function Shown({
  apiKey,
  showSecret,
}: {
  readonly apiKey: ApiKey;
  readonly showSecret: ShowSecret;
}) {
  const { id, name, scopes } = apiKey;
  return (
    <Stack>
      <Facts
        rows={[
          ['Name', name],
          ['Status', <KeyBadge key="state" apiKey={apiKey} />],
          ['Key ID', <IdLink key="id" id={id} to={null} />],
          ['Scopes', scopes.join(', ')],
          ['Rotated from', <IdLink key="from" id={apiKey.rotatedFrom} />],
          ['Requests per minute', apiKey.requestsPerMinute],
          ['Last used', <Moment key="used" at={apiKey.lastUsedAt} />],
          ['Expires', <Moment key="ends" at={apiKey.expiresAt} />],
          ['Revoked', <Moment key="revoked" at={apiKey.revokedAt} />],
          ['Created', <Moment key="made" at={apiKey.createdAt} />],
          ['Requested by', apiKey.createdBy?.name],
          ['Approved by', apiKey.approvedBy?.name],
        ]}
      />
      <Group gap="md">
        <Go to={`/developers?tab=requests&actorId=${id}`} size="sm">
          View requests
        </Go>
        <Go to={`/audit?actorId=${id}`} size="sm">
          View audit log
        </Go>
      </Group>
      <Group gap="xs">
        <FetchSecret apiKey={apiKey} showSecret={showSecret} />
        <RotateKey apiKey={apiKey} />
        <RevokeKey apiKey={apiKey} />
      </Group>
    </Stack>
  );
}
