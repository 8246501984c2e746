//! Users: found by your own id or by e-mail, filtered by state.
import { USER_STATUSES } from '@holdfast/contract/words';
import type { User } from '@holdfast/sdk';
import { useGo } from '#app/go.tsx';
import { EMAIL_ADDRESS } from '#parts/email-address.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { FilteredTable } from '#parts/filtered-table.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import type { Column } from '#parts/table-columns.tsx';

// biome-ignore format: a table is the one thing exempt from the line limit.
const COLUMNS: readonly Column<User>[] = [
  { title: 'User', show: ({ id }) => <IdLink id={id} isBare /> },
  { title: 'Your id', show: ({ externalUserId }) => externalUserId },
  { title: 'E-mail', show: ({ email }) => email ?? '–' },
  { title: 'State', show: ({ status }) => <StateBadge state={status} /> },
  { title: 'Role', show: ({ type }) => wordsOf(type) },
  { title: 'Payment account', show: ({ linkedAt }) => (linkedAt === null ? 'not linked' : 'linked') },
  { title: 'Created', show: ({ createdAt }) => <Moment at={createdAt} /> },
];

export function Screen() {
  const go = useGo();
  return (
    <>
      <ScreenHead title="Users" note="Personal data is masked; the user’s page reveals it." />
      <FilteredTable
        label="Users"
        screen="users"
        topic="User"
        filters={[
          { name: 'status', label: 'State', choices: USER_STATUSES },
          { name: 'externalUserId', label: 'Your id', placeholder: 'The marketplace’s own id' },
          {
            name: 'email',
            label: 'E-mail',
            placeholder: 'The whole address',
            accepts: EMAIL_ADDRESS,
          },
        ]}
        list={(holdfast, query, options) => holdfast.users.list(query, options)}
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={({ id }) => go(`/users/${id}`)}
        empty={
          <EmptyState title="No user is like that">
            Take a filter away, or press ⌘K and paste an id, a ledger address or an e-mail address.
            Users come in by POST /users.
          </EmptyState>
        }
      />
    </>
  );
}
