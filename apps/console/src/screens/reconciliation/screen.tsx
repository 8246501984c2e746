//! Reconciliation: runs, and the exceptions that they found.
import type { ReconciliationRun } from '@holdfast/sdk';
import { Stack } from '@mantine/core';
import { useGo, useUrlState } from '#app/go.tsx';
import { Actor } from '#parts/actor.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { Section } from '#parts/section.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { DataTable } from '#parts/table/data-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { ExceptionDrawer } from '#screens/reconciliation/exception-drawer.tsx';
import { Exceptions } from '#screens/reconciliation/exceptions.tsx';
import { StartRun } from '#screens/reconciliation/start-run.tsx';

const EVERY_MS = 4_000;

const COLUMNS: readonly Column<ReconciliationRun>[] = [
  { title: 'Run', show: ({ id }) => <IdLink id={id} isBare /> },
  { title: 'Status', show: ({ status }) => <StateBadge state={status} /> },
  { title: 'Compared with', show: ({ providers }) => providers.map(wordsOf).join(', ') },
  { title: 'New exceptions', isEnd: true, show: ({ exceptions }) => exceptions?.opened ?? '–' },
  { title: 'Still open', isEnd: true, show: ({ exceptions }) => exceptions?.seenAgain ?? '–' },
  {
    title: 'Cleared exceptions',
    isEnd: true,
    show: ({ exceptions }) => exceptions?.cleared ?? '–',
  },
  { title: 'Started by', show: ({ createdBy }) => <Actor id={createdBy} isBare /> },
  { title: 'Started', show: ({ createdAt }) => <Moment at={createdAt} /> },
];

export function Screen() {
  const [state, change] = useUrlState();
  return (
    <>
      <ScreenHead
        title="Reconciliation"
        note="Compares the books with the payment provider and the blockchain. Corrections are new entries; existing entries never change."
        actions={<StartRun />}
      />
      <Stack>
        <Section title="Exceptions">
          <Exceptions open={(exception) => change({ exception })} />
        </Section>
        <Runs />
      </Stack>
      <ExceptionDrawer id={state['exception']} close={() => change({ exception: undefined })} />
    </>
  );
}

function Runs() {
  const go = useGo();
  return (
    <Section title="Runs">
      <DataTable
        label="Reconciliation runs"
        topic="Reconciliation"
        queryKey={['runs']}
        list={(holdfast, signal) => holdfast.reconciliation.listRuns({ limit: 100 }, { signal })}
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={({ id }) => go(`/reconciliation/${id}`)}
        everyMs={EVERY_MS}
        height={360}
        hasKeys={false}
        empty={
          <EmptyState title="No runs yet">
            By default, a run starts every hour in production. Start a run to compare the books now.
          </EmptyState>
        }
      />
    </Section>
  );
}
