//! A table of exceptions: of all runs, or of one.

import { EXCEPTION_CAUSES } from '@holdfast/contract/enums';
import { statesOf } from '@holdfast/contract/machine';
import { exceptionMachine } from '@holdfast/contract/machines/exception-machine';
import type { ReconciliationException } from '@holdfast/sdk';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { FilteredTable } from '#parts/table/filtered-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { ACTION_WORDS } from '#screens/reconciliation/effects.ts';

const EVERY_MS = 5_000;

const COLUMNS: readonly Column<ReconciliationException>[] = [
  { title: 'Status', show: ({ status }) => <StateBadge state={status} /> },
  { title: 'Cause', show: ({ cause }) => wordsOf(cause) },
  {
    title: 'Difference',
    isEnd: true,
    show: ({ amount, currency }) => <Amount amount={amount} currency={currency} isChange />,
  },
  { title: 'Compared with', show: ({ provider }) => wordsOf(provider) },
  { title: 'Record', show: ({ resourceId }) => <IdLink id={resourceId} isBare /> },
  {
    title: 'Resolution',
    show: ({ resolution }) => (resolution ? ACTION_WORDS[resolution.action].label : '–'),
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
        { name: 'status', label: 'Status', choices: statesOf(exceptionMachine) },
        { name: 'cause', label: 'Cause', choices: EXCEPTION_CAUSES },
        { name: 'createdAfter', label: 'From date (UTC)', type: 'date' },
        { name: 'createdBefore', label: 'Until date (UTC)', type: 'date', isLastDay: true },
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
        <EmptyState title="No matching exceptions">
          Clear the filters to see more, or start a run to compare the books now.
        </EmptyState>
      }
    />
  );
}
