//! Operators: who can sign in, and with which roles. For platform admins.
import type { Operator } from '@holdfast/sdk';
import { Go, useUrlState } from '#app/go.tsx';
import { useSession } from '#app/session/session.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { DataTable } from '#parts/table/data-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { membershipWords } from '#parts/words/membership-words.ts';
import { AddOperator } from '#screens/operators/add-operator.tsx';
import { OperatorDrawer } from '#screens/operators/operator-drawer.tsx';

const COLUMNS: readonly Column<Operator>[] = [
  { title: 'Name', show: ({ name }) => name },
  { title: 'Email', show: ({ email }) => email },
  { title: 'Status', show: ({ status }) => <StateBadge state={status} /> },
  { title: 'Platform admin', show: ({ isPlatformAdmin }) => (isPlatformAdmin ? 'Yes' : 'No') },
  { title: 'Marketplaces', show: ({ memberships }) => membershipWords(memberships) },
  { title: 'Last sign-in', show: ({ lastSignedInAt }) => <Moment at={lastSignedInAt} /> },
  { title: 'Added', show: ({ createdAt }) => <Moment at={createdAt} /> },
];

export function Screen() {
  const { session } = useSession();
  return session.operator.isPlatformAdmin ? <Operators /> : <NotYours />;
}

function NotYours() {
  return (
    <>
      <ScreenHead title="Operators" />
      <div className="hf-frame">
        <EmptyState title="Platform admins only">
          Only platform admins can manage operators. Ask a platform admin to invite an operator,
          assign a role or reset an account (which also unlocks it).
        </EmptyState>
      </div>
    </>
  );
}

function Operators() {
  const { marketplaceId, session } = useSession();
  const [state, change] = useUrlState();
  return (
    <>
      <ScreenHead
        title="Operators"
        note={
          marketplaceId === '' ? (
            <>
              You do not have a role in any marketplace yet.{' '}
              <Go to={`/operators?id=${session.operator.id}`} underline="always">
                Assign yourself a role
              </Go>
            </>
          ) : (
            'Operators and their roles. Open an operator to change roles or access.'
          )
        }
        actions={<AddOperator />}
      />
      <DataTable
        label="Operators"
        topic="Operator"
        queryKey={['operators']}
        list={(holdfast, signal) => holdfast.operators.list({ limit: 100 }, { signal })}
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={({ id }) => change({ id })}
        empty={
          <EmptyState title="No operators yet">
            Invite the people who work with this console, with only the roles they need.
          </EmptyState>
        }
      />
      <OperatorDrawer id={state['id']} close={() => change({ id: undefined })} />
    </>
  );
}
