//! Operators: who signs in, what they may do where, and who lets them. For platform admins.
import type { Operator } from '@holdfast/sdk';
import { useUrlState } from '#app/go.tsx';
import { useSession } from '#app/session.tsx';
import { DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import type { Column } from '#parts/table-columns.tsx';
import { AddOperator } from '#screens/operators/add-operator.tsx';
import { membershipWords } from '#screens/operators/membership-words.ts';
import { OperatorDrawer } from '#screens/operators/operator-drawer.tsx';

const COLUMNS: readonly Column<Operator>[] = [
  { title: 'Name', show: ({ name }) => name },
  { title: 'E-mail', show: ({ email }) => email },
  { title: 'State', show: ({ status }) => <StateBadge state={status} /> },
  { title: 'Platform', show: ({ isPlatformAdmin }) => (isPlatformAdmin ? 'admin' : '–') },
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
        <EmptyState title="Only platform admins see operators">
          Your role here does not open this, whatever it is. A platform admin adds people, gives
          roles and lets in whoever is locked out: ask one of them.
        </EmptyState>
      </div>
    </>
  );
}

function Operators() {
  const { marketplaceId } = useSession();
  const [state, change] = useUrlState();
  return (
    <>
      <ScreenHead
        title="Operators"
        note={
          marketplaceId === ''
            ? 'You have a role in no marketplace. Open yourself below and change your roles to see more than this.'
            : 'Who signs in, and what each may do in which marketplace. Open one to change it.'
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
          <EmptyState title="Nobody yet">
            Add people who work with this console, with no more rights than they need.
          </EmptyState>
        }
      />
      <OperatorDrawer id={state['id']} close={() => change({ id: undefined })} />
    </>
  );
}
