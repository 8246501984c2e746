//! Provider notifications, and their outcome.
import { NOTIFICATION_PROVIDERS, NOTIFICATION_STATUSES } from '@holdfast/contract/enums';
import type { ProviderNotification } from '@holdfast/sdk';
import { useGo } from '#app/go.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { FilteredTable } from '#parts/table/filtered-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { spaced } from '#screens/system/lag.ts';

const EVERY_MS = 5_000;

const COLUMNS: readonly Column<ProviderNotification>[] = [
  { title: 'Notification ID', show: ({ id }) => <IdLink id={id} isBare /> },
  { title: 'Status', show: ({ status }) => <StateBadge state={status} /> },
  { title: 'Provider', show: ({ provider }) => spaced(provider) },
  { title: 'Type', show: ({ type }) => type },
  { title: 'Record', show: ({ resourceId }) => <IdLink id={resourceId} isBare /> },
  { title: 'Reason not processed', show: ({ reason }) => reason ?? '–' },
  { title: 'Attempts', isEnd: true, show: ({ attempts }) => attempts },
  { title: 'Received', show: ({ receivedAt }) => <Moment at={receivedAt} /> },
];

export function Screen() {
  const go = useGo();
  return (
    <>
      <ScreenHead
        title="Provider notifications"
        note="Signed notifications from providers, stored as received. Payment notifications are processed immediately and then checked against the provider’s own record; escrow notifications are processed only after the blockchain confirms them."
      />
      <FilteredTable
        label="Provider notifications"
        screen="inbox"
        topic="Inbox"
        filters={[
          { name: 'status', label: 'Status', choices: NOTIFICATION_STATUSES },
          { name: 'provider', label: 'Provider', choices: NOTIFICATION_PROVIDERS, words: spaced },
          { name: 'resourceId', label: 'Record ID', placeholder: 'Any Holdfast ID' },
          { name: 'createdAfter', label: 'From date (UTC)', type: 'date' },
          { name: 'createdBefore', label: 'Until date (UTC)', type: 'date', isLastDay: true },
        ]}
        list={(holdfast, query, options) => holdfast.inbox.list(query, options)}
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={({ id }) => go(`/inbox/${id}`)}
        everyMs={EVERY_MS}
        empty={
          <EmptyState title="No matching notifications">
            Notifications appear here when a provider calls the Holdfast webhook URL. Clear the
            filters to see more.
          </EmptyState>
        }
      />
    </>
  );
}
