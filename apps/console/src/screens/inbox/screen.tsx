//! The inbox: what providers told us, and what became of it.
import { NOTICE_PROVIDERS, NOTICE_STATUSES } from '@holdfast/contract/words';
import type { ProviderNotice } from '@holdfast/sdk';
import { useGo } from '#app/go.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FilteredTable } from '#parts/filtered-table.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import type { Column } from '#parts/table-columns.tsx';

const EVERY_MS = 5_000;

const COLUMNS: readonly Column<ProviderNotice>[] = [
  { title: 'Notice', show: ({ id }) => <IdLink id={id} isBare /> },
  { title: 'Decision', show: ({ status }) => <StateBadge state={status} /> },
  { title: 'Provider', show: ({ provider }) => provider },
  { title: 'Type', show: ({ type }) => type },
  { title: 'About', show: ({ resourceId }) => <IdLink id={resourceId} isBare /> },
  { title: 'Why', show: ({ reason }) => reason ?? '–' },
  { title: 'Attempts', isEnd: true, show: ({ attempts }) => attempts },
  { title: 'Received', show: ({ receivedAt }) => <Moment at={receivedAt} /> },
];

export function Screen() {
  const go = useGo();
  return (
    <>
      <ScreenHead
        title="Inbox"
        note="Notices of providers, kept to the byte after their signature was checked. A notice never moves money by itself: it makes Holdfast look."
      />
      <FilteredTable
        label="Notices"
        screen="inbox"
        topic="Inbox"
        filters={[
          { name: 'status', label: 'Decision', choices: NOTICE_STATUSES },
          { name: 'provider', label: 'Provider', choices: NOTICE_PROVIDERS, words: (name) => name },
          { name: 'resourceId', label: 'About', placeholder: 'any id of ours' },
          { name: 'createdAfter', label: 'From', type: 'date' },
          { name: 'createdBefore', label: 'Until', type: 'date', isLastDay: true },
        ]}
        list={(holdfast, query, options) => holdfast.inbox.list(query, options)}
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={({ id }) => go(`/inbox/${id}`)}
        everyMs={EVERY_MS}
        empty={
          <EmptyState title="No notices here">
            They appear when the payment provider or the escrow provider calls our webhook address.
          </EmptyState>
        }
      />
    </>
  );
}
