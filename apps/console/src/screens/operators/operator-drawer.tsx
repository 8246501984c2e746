//! One operator: profile, roles, and actions.
import type { Operator } from '@holdfast/sdk';
import { Group, Stack } from '@mantine/core';
import { Go } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { useSession } from '#app/session/session.tsx';
import { type ShowSecret, useSecretOnce } from '#parts/action/secret-once.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { SideDrawer } from '#parts/side-drawer.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { ChangeRoles, Disable, LetIn, NewSecret } from '#screens/operators/operator-actions.tsx';

interface Props {
  /** Undefined while none is open. */
  readonly id: string | undefined;
  readonly close: () => void;
}

export function OperatorDrawer({ id, close }: Props) {
  const { showSecret, shown } = useSecretOnce();
  return (
    <>
      <SideDrawer isOpen={id !== undefined} close={close} title="Operator">
        {id !== undefined && <Found key={id} id={id} showSecret={showSecret} />}
      </SideDrawer>
      {shown}
    </>
  );
}

function Found({ id, showSecret }: { readonly id: string; readonly showSecret: ShowSecret }) {
  const operator = useRead('Operator', ['one', id], async (holdfast, signal) => {
    for await (const one of holdfast.operators.list({ limit: 100 }, { signal })) {
      if (one.id === id) return one;
    }
    return null;
  });
  return (
    <Loaded of={operator}>
      {(found) =>
        found === null ? (
          <EmptyState title="Operator not found">Check the link.</EmptyState>
        ) : (
          <Shown operator={found} showSecret={showSecret} />
        )
      }
    </Loaded>
  );
}

function Shown({
  operator,
  showSecret,
}: {
  readonly operator: Operator;
  readonly showSecret: ShowSecret;
}) {
  const { marketplaceId } = useSession();
  const { id, name, email, status, isPlatformAdmin } = operator;
  return (
    <Stack>
      <Facts
        rows={[
          ['Name', name],
          ['Email', email],
          ['Status', <StateBadge key="state" state={status} />],
          ['Operator ID', <IdLink key="id" id={id} to={null} />],
          ['Platform admin', isPlatformAdmin ? 'Yes' : 'No'],
          ['Marketplaces', <Roles key="roles" operator={operator} />],
          ['Last sign-in', <Moment key="in" at={operator.lastSignedInAt} />],
          ['Added', <Moment key="made" at={operator.createdAt} />],
        ]}
      />
      {marketplaceId !== '' && (
        <Go to={`/audit?actorId=${id}`} size="sm">
          View audit log
        </Go>
      )}
      <Group gap="xs">
        <ChangeRoles operator={operator} />
        <NewSecret operator={operator} showSecret={showSecret} />
        {status === 'ACTIVE' ? <Disable operator={operator} /> : <LetIn operator={operator} />}
      </Group>
    </Stack>
  );
}

function Roles({ operator: { memberships } }: { readonly operator: Operator }) {
  if (memberships.length === 0) return 'None';
  return (
    <Stack gap={2} component="span">
      {memberships.map(({ marketplaceId, marketplaceName, role }) => (
        <span key={marketplaceId}>
          {marketplaceName}: {role}
        </span>
      ))}
    </Stack>
  );
}
