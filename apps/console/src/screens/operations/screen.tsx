//! Operations: durable pieces of provider work; those with an unknown outcome stand on top.
import { OPERATION_STATUSES } from '@holdfast/contract/words';
import type { Operation } from '@holdfast/sdk';
import { Group, Stack } from '@mantine/core';
import { useGo } from '#app/go.tsx';
import { DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FilteredTable } from '#parts/filtered-table.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { Section } from '#parts/section.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import type { Column } from '#parts/table-columns.tsx';

const EVERY_MS = 5_000;

const COLUMNS: readonly Column<Operation>[] = [
  { title: 'Operation', show: ({ id }) => <IdLink id={id} isBare /> },
  { title: 'Kind', show: ({ kind }) => kind },
  {
    title: 'State',
    show: ({ status, isUnknown }) => (
      <Group gap={6} wrap="nowrap">
        <StateBadge state={status} />
        {isUnknown && <StateBadge state="OUTCOME_UNKNOWN" />}
      </Group>
    ),
  },
  { title: 'About', show: ({ resourceId }) => <IdLink id={resourceId} isBare /> },
  { title: 'Money', show: ({ hasMovedMoney }) => (hasMovedMoney ? 'moved' : '–') },
  { title: 'Attempts', isEnd: true, show: ({ attempts }) => attempts },
  { title: 'Asked again', show: ({ nextTryAt }) => <Moment at={nextTryAt} /> },
  { title: 'Begun', show: ({ createdAt }) => <Moment at={createdAt} /> },
];

export function Screen() {
  return (
    <>
      <ScreenHead
        title="Operations"
        note="What a request began with a provider, step by step. Nothing is sent twice: an unknown outcome is asked about until it is known."
      />
      <Stack>
        <Attention />
        <All />
      </Stack>
    </>
  );
}

function Attention() {
  const go = useGo();
  return (
    <Section title="Need a person">
      <DataTable
        label="Operations that need a person"
        topic="Operation"
        queryKey={['attention']}
        list={(holdfast, signal) =>
          holdfast.operations.list({ attention: 'true', limit: 100 }, { signal })
        }
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={({ id }) => go(`/operations/${id}`)}
        everyMs={EVERY_MS}
        height={320}
        empty={
          <EmptyState title="Nothing is stuck">
            Operations appear here when a provider's answer was lost, or when one was raised because
            it can only go forward.
          </EmptyState>
        }
      />
    </Section>
  );
}

function All() {
  const go = useGo();
  return (
    <Section title="All operations">
      <FilteredTable
        label="Operations of every kind"
        screen="operations"
        topic="Operation"
        filters={[
          { name: 'status', label: 'State', choices: OPERATION_STATUSES },
          { name: 'kind', label: 'Kind', placeholder: 'such as fund-escrow' },
          { name: 'resourceId', label: 'About', placeholder: 'ord_…, wd_…, topup_…' },
          { name: 'createdAfter', label: 'From', type: 'date' },
          { name: 'createdBefore', label: 'Until', type: 'date', isLastDay: true },
        ]}
        list={(holdfast, query, options) => holdfast.operations.list(query, options)}
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={({ id }) => go(`/operations/${id}`)}
        height={480}
        hasKeys={false}
        empty={
          <EmptyState title="No operations here">
            Funding, releasing, refunding and paying out each leave one.
          </EmptyState>
        }
      />
    </Section>
  );
}
