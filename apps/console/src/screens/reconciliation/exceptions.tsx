//! A table of exceptions: of all runs, or of one.
import { exceptionMachine } from '@holdfast/contract/exception-machine';
import { statesOf } from '@holdfast/contract/machine';
import { EXCEPTION_CAUSES } from '@holdfast/contract/words';
import type { ReconciliationException } from '@holdfast/sdk';
import { Amount } from '#parts/amount.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FilteredTable } from '#parts/filtered-table.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import type { Column } from '#parts/table-columns.tsx';

const EVERY_MS = 5_000;

const COLUMNS: readonly Column<ReconciliationException>[] = [
  { title: 'State', show: ({ status }) => <StateBadge state={status} /> },
  { title: 'Cause', show: ({ cause }) => wordsOf(cause) },
  {
    title: 'They have more',
    isEnd: true,
    show: ({ amount, currency }) => <Amount amount={amount} currency={currency} isChange />,
  },
  { title: 'With', show: ({ provider }) => wordsOf(provider) },
  { title: 'About', show: ({ resourceId }) => <IdLink id={resourceId} isBare /> },
  {
    title: 'Dealt with by',
    show: ({ resolution }) => (resolution ? wordsOf(resolution.action) : '–'),
  },
  { title: 'Found', show: ({ createdAt }) => <Moment at={createdAt} /> },
];

interface Props {
  readonly runId?: string;
  readonly open: (id: string) => void;
}

export function Exceptions({ runId, open }: Props) {
  return (
    <FilteredTable
      label="Exceptions"
      screen="exceptions"
      of={runId}
      topic="Reconciliation"
      filters={[
        { name: 'status', label: 'State', choices: statesOf(exceptionMachine) },
        { name: 'cause', label: 'Cause', choices: EXCEPTION_CAUSES },
        { name: 'createdAfter', label: 'From', type: 'date' },
        { name: 'createdBefore', label: 'Until', type: 'date', isLastDay: true },
      ]}
      list={(holdfast, query, options) =>
        holdfast.reconciliation.listExceptions({ ...query, runId }, options)
      }
      idOf={({ id }) => id}
      columns={COLUMNS}
      onOpen={({ id }) => open(id)}
      everyMs={EVERY_MS}
      height={420}
      empty={
        <EmptyState title="No exceptions here">
          Books and providers agree, as far as they were compared. A difference that a run finds
          stands here until somebody deals with it or a later run no longer sees it.
        </EmptyState>
      }
    />
  );
}
