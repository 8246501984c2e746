//! Users: found by your own id or by e-mail, filtered by state.
import { USER_STATUSES } from '@holdfast/contract/words';
import type { ListUsersQuery, User, UserStatus } from '@holdfast/sdk';
import { useGo, useUrlState } from '#app/go.tsx';
import type { UrlState } from '#app/url-state.ts';
import { type Column, DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { type Filter, FilterBar } from '#parts/filter-bar.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';

const FILTERS: readonly Filter[] = [
  { name: 'status', label: 'State', choices: USER_STATUSES },
  { name: 'externalUserId', label: 'Your id', placeholder: 'The marketplace’s own id' },
  { name: 'email', label: 'E-mail', placeholder: 'The whole address' },
];

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

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Half an address is no filter: the service would refuse it. */
function userQuery({ status, externalUserId, email }: UrlState): ListUsersQuery {
  const isStatus = (USER_STATUSES as readonly (string | undefined)[]).includes(status);
  return {
    ...(isStatus && { status: status as UserStatus }),
    ...(externalUserId && { externalUserId }),
    ...(email && ADDRESS.test(email) && { email }),
  };
}

export function Screen() {
  const go = useGo();
  const [state] = useUrlState();
  const query = userQuery(state);
  return (
    <>
      <ScreenHead title="Users" note="Personal data is masked; the user’s page reveals it." />
      <FilterBar screen="users" filters={FILTERS} />
      <DataTable
        label="Users"
        topic="User"
        queryKey={[query]}
        list={(holdfast, signal) => holdfast.users.list({ ...query, limit: 100 }, { signal })}
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
