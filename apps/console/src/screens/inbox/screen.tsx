//! The inbox: what providers told us, and what became of it.
import { NOTICE_PROVIDERS, NOTICE_STATUSES } from '@holdfast/contract/words';
import type { ProviderNotice } from '@holdfast/sdk';
import { chosen } from '#app/chosen.ts';
import { useGo, useUrlState } from '#app/go.tsx';
import { type Column, DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FilterBar } from '#parts/filter-bar.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';

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
  const [state] = useUrlState();
  const go = useGo();
  const query = {
    status: chosen(state['status'], NOTICE_STATUSES),
    provider: chosen(state['provider'], NOTICE_PROVIDERS),
    resourceId: state['resourceId'],
    createdAfter: state['createdAfter'],
    createdBefore: state['createdBefore'],
    limit: 100,
  };
  return (
    <>
      <ScreenHead
        title="Inbox"
        note="Notices of providers, kept to the byte after their signature was checked. A notice never moves money by itself: it makes Holdfast look."
      />
      <FilterBar
        screen="inbox"
        filters={[
          { name: 'status', label: 'Decision', choices: NOTICE_STATUSES },
          { name: 'provider', label: 'Provider', choices: NOTICE_PROVIDERS, words: (name) => name },
          { name: 'resourceId', label: 'About', placeholder: 'any id of ours' },
          { name: 'createdAfter', label: 'From', type: 'date' },
          { name: 'createdBefore', label: 'Until', type: 'date' },
        ]}
      />
      <DataTable
        label="Notices"
        topic="Inbox"
        queryKey={['notices', query]}
        list={(holdfast, signal) => holdfast.inbox.list(query, { signal })}
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
