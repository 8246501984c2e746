//! Reconciliation: runs, and the exceptions that they found.
import type { ReconciliationRun } from '@holdfast/sdk';
import { Stack } from '@mantine/core';
import { useGo, useUrlState } from '#app/go.tsx';
import { Actor } from '#parts/actor.tsx';
import { DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { Section } from '#parts/section.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import type { Column } from '#parts/table-columns.tsx';
import { ExceptionDrawer } from '#screens/reconciliation/exception-drawer.tsx';
import { Exceptions } from '#screens/reconciliation/exceptions.tsx';
import { StartRun } from '#screens/reconciliation/start-run.tsx';

const EVERY_MS = 4_000;

const COLUMNS: readonly Column<ReconciliationRun>[] = [
  { title: 'Run', show: ({ id }) => <IdLink id={id} isBare /> },
  { title: 'State', show: ({ status }) => <StateBadge state={status} /> },
  { title: 'Compared with', show: ({ providers }) => providers.map(wordsOf).join(', ') },
  { title: 'Found', isEnd: true, show: ({ exceptions }) => exceptions?.opened ?? '–' },
  { title: 'Seen again', isEnd: true, show: ({ exceptions }) => exceptions?.seenAgain ?? '–' },
  { title: 'Cleared', isEnd: true, show: ({ exceptions }) => exceptions?.cleared ?? '–' },
  { title: 'By', show: ({ createdBy }) => <Actor id={createdBy} isBare /> },
  { title: 'Begun', show: ({ createdAt }) => <Moment at={createdAt} /> },
];

export function Screen() {
  const [state, change] = useUrlState();
  return (
    <>
      <ScreenHead
        title="Reconciliation"
        note="Our books against the payment provider and the ledger network. Nothing is overwritten: what has to change is posted."
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
          <EmptyState title="No run yet">
            In production one begins every hour. Start one now to compare the books at once.
          </EmptyState>
        }
      />
    </Section>
  );
}
