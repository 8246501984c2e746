//! Operations: durable pieces of provider work; those with an unknown outcome come first.
import { OPERATION_STATUSES } from '@holdfast/contract/enums';
import type { Operation } from '@holdfast/sdk';
import { Group, Stack } from '@mantine/core';
import { useGo } from '#app/go.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { Section } from '#parts/section.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { DataTable } from '#parts/table/data-table.tsx';
import { FilteredTable } from '#parts/table/filtered-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { operationTitle } from '#parts/words/record-title.ts';

const EVERY_MS = 5_000;

const COLUMNS: readonly Column<Operation>[] = [
  { title: 'Operation', show: ({ id }) => <IdLink id={id} isBare /> },
  { title: 'Type', show: ({ kind }) => operationTitle(kind) },
  {
    title: 'Status',
    show: ({ status, isUnknown }) => (
      <Group gap={6} wrap="nowrap">
        <StateBadge state={status} />
        {isUnknown && <StateBadge state="OUTCOME_UNKNOWN" />}
      </Group>
    ),
  },
  { title: 'Record', show: ({ resourceId }) => <IdLink id={resourceId} isBare /> },
  { title: 'Money moved', show: ({ hasMovedMoney }) => (hasMovedMoney ? 'Yes' : 'No') },
  { title: 'Attempts', isEnd: true, show: ({ attempts }) => attempts },
  { title: 'Next attempt', show: ({ nextTryAt }) => <Moment at={nextTryAt} /> },
  { title: 'Started', show: ({ createdAt }) => <Moment at={createdAt} /> },
];

export function Screen() {
  return (
    <>
      <ScreenHead
        title="Operations"
        note="Each operation is a series of provider calls started by a request. No payment is sent twice: if an outcome is unknown, Holdfast keeps checking with the provider."
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
    <Section title="Needs attention">
      <DataTable
        label="Operations that need attention"
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
          <EmptyState title="All clear">
            No operation has an unknown outcome or is escalated. New operations that need attention
            appear here.
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
        label="All operations"
        screen="operations"
        topic="Operation"
        filters={[
          { name: 'status', label: 'Status', choices: OPERATION_STATUSES },
          { name: 'kind', label: 'Type', placeholder: 'fund-escrow' },
          { name: 'resourceId', label: 'Record ID', placeholder: 'ord_…, wd_…, topup_…' },
          { name: 'createdAfter', label: 'From date (UTC)', type: 'date' },
          { name: 'createdBefore', label: 'Until date (UTC)', type: 'date', isLastDay: true },
        ]}
        list={(holdfast, query, options) => holdfast.operations.list(query, options)}
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={({ id }) => go(`/operations/${id}`)}
        height={480}
        hasKeys={false}
        empty={
          <EmptyState title="No matching operations">
            Every funding, release, refund and payout creates an operation. Clear the filters to see
            more.
          </EmptyState>
        }
      />
    </Section>
  );
}
