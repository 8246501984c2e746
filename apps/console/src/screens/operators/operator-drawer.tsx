//! One operator: profile, roles, and actions.
import type { Operator } from '@holdfast/sdk';
import { Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Go } from '#app/go.tsx';
import { clockNow } from '#app/now.ts';
import { useRead } from '#app/read.ts';
import { useSession } from '#app/session/session.tsx';
import { type ShowSecret, useSecretOnce } from '#parts/action/secret-once.tsx';
import { Actor } from '#parts/actor.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { SideDrawer } from '#parts/side-drawer.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import {
  Activate,
  ChangeRoles,
  Disable,
  LetIn,
  Reset,
} from '#screens/operators/operator-actions.tsx';

/** More than a person scrolls through. */
const LISTED_MAX = 1_000;

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
    const all = await holdfast.operators.list({ limit: 100 }, { signal }).toArray(LISTED_MAX);
    const found = all.find((one) => one.id === id);
    const inviter = all.find((one) => one.id === found?.invitedBy);
    return found === undefined ? null : { operator: found, inviter };
  });
  return (
    <Loaded of={operator}>
      {(found) =>
        found === null ? (
          <EmptyState title="Operator not found">Check the link.</EmptyState>
        ) : (
          <Shown {...found} showSecret={showSecret} />
        )
      }
    </Loaded>
  );
}

interface Person {
  readonly operator: Operator;
  /** Undefined for the master key too. */
  readonly inviter: Operator | undefined;
}

function Shown({
  operator,
  inviter,
  showSecret,
}: Person & {
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
          ...waiting({ operator, inviter }),
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
        {status === 'ENROLLED' && <Activate operator={operator} />}
        <ChangeRoles operator={operator} />
        <Reset operator={operator} showSecret={showSecret} />
        {status === 'DISABLED' ? <LetIn operator={operator} /> : <Disable operator={operator} />}
      </Group>
    </Stack>
  );
}

/** What an operator who is new waits for. */
function waiting({ operator, inviter }: Person) {
  const { status, invitedBy, invitationExpiresAt, approvesFrom } = operator;
  const rows: [string, ReactNode][] = [];
  if (invitedBy !== null)
    rows.push(['Invited by', inviter?.name ?? <Actor key="by" id={invitedBy} />]);
  if (status === 'INVITED')
    rows.push(['Link valid until', <Moment key="until" at={invitationExpiresAt} />]);
  if (approvesFrom !== null && Date.parse(approvesFrom) > clockNow())
    rows.push(['Can approve from', <Moment key="from" at={approvesFrom} />]);
  return rows;
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
