//! A table of exceptions: of all runs, or of one.
import { exceptionMachine } from '@holdfast/contract/exception-machine';
import { statesOf } from '@holdfast/contract/machine';
import { EXCEPTION_CAUSES } from '@holdfast/contract/words';
import type { ReconciliationException } from '@holdfast/sdk';
import { chosen } from '#app/chosen.ts';
import { useUrlState } from '#app/go.tsx';
import { Amount } from '#parts/amount.tsx';
import { type Column, DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';

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
  { title: 'Dealt with by', show: ({ resolution }) => resolution?.action.toLowerCase() ?? '–' },
  { title: 'Found', show: ({ createdAt }) => <Moment at={createdAt} /> },
];

interface Props {
  readonly runId?: string;
  readonly open: (id: string) => void;
}

export function Exceptions({ runId, open }: Props) {
  const [state] = useUrlState();
  const query = {
    runId,
    status: chosen(state['status'], statesOf(exceptionMachine)),
    cause: chosen(state['cause'], EXCEPTION_CAUSES),
    createdAfter: state['createdAfter'],
    createdBefore: state['createdBefore'],
    limit: 100,
  };
  return (
    <DataTable
      label="Exceptions"
      topic="Reconciliation"
      queryKey={['exceptions', query]}
      list={(holdfast, signal) => holdfast.reconciliation.listExceptions(query, { signal })}
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
