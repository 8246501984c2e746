//! Users: found by your own id or by email, filtered by state.
import { USER_STATUSES } from '@holdfast/contract/enums';
import type { User } from '@holdfast/sdk';
import { useGo } from '#app/go.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { FilteredTable } from '#parts/table/filtered-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { EMAIL_ADDRESS } from '#parts/words/email-address.ts';

// biome-ignore format: a table is the one thing exempt from the line limit.
const COLUMNS: readonly Column<User>[] = [
  { title: 'User', show: ({ id }) => <IdLink id={id} isBare /> },
  { title: 'External ID', show: ({ externalUserId }) => externalUserId },
  { title: 'Email', show: ({ email }) => email ?? '–' },
  { title: 'Status', show: ({ status }) => <StateBadge state={status} /> },
  { title: 'Role', show: ({ type }) => wordsOf(type) },
  { title: 'Payment account', show: ({ linkedAt }) => (linkedAt === null ? 'Not linked' : 'Linked') },
  { title: 'Created', show: ({ createdAt }) => <Moment at={createdAt} /> },
];

export function Screen() {
  const go = useGo();
  return (
    <>
      <ScreenHead title="Users" note="Personal data is masked. Open a user to reveal it." />
      <FilteredTable
        label="Users"
        screen="users"
        topic="User"
        filters={[
          { name: 'status', label: 'Status', choices: USER_STATUSES },
          { name: 'externalUserId', label: 'External ID', placeholder: 'Marketplace user ID' },
          {
            name: 'email',
            label: 'Email',
            placeholder: 'Full email address',
            accepts: EMAIL_ADDRESS,
          },
        ]}
        list={(holdfast, query, options) => holdfast.users.list(query, options)}
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={({ id }) => go(`/users/${id}`)}
        empty={
          <EmptyState title="No matching users">
            Clear the filters, or press Ctrl K (⌘K) and search by ID, blockchain address or email
            address. Users appear here when the marketplace creates them through the API.
          </EmptyState>
        }
      />
    </>
  );
}
