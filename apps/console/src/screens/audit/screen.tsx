//! The audit log: who did what, when, why, and what it changed.
import {
  AUDIT_ACTIONS,
  AUDIT_RESOURCE_TYPES,
  auditActions,
} from '@holdfast/contract/audit-actions';
import { AUDIT_RESULTS } from '@holdfast/contract/enums';
import type { AuditEntry } from '@holdfast/sdk';
import { useState } from 'react';
import { useUrlState } from '#app/go.tsx';
import { clientOf } from '#app/session/session.tsx';
import { CommandHint } from '#parts/action/command-hint.tsx';
import { Actor } from '#parts/actor.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { PlatformChoice, useIsPlatform } from '#parts/platform-choice.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { SideDrawer } from '#parts/side-drawer.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { FilteredTable } from '#parts/table/filtered-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { auditWords } from '#parts/words/audit-words.ts';
import { fieldWords } from '#parts/words/field-words.ts';
import { actorTypeWords, FoundEntry, OneEntry } from '#screens/audit/entry.tsx';

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: 'Time', show: ({ occurredAt }) => <Moment at={occurredAt} /> },
  { title: 'Action', show: ({ action }) => auditWords(action) },
  { title: 'Result', show: ({ result }) => <StateBadge state={result} /> },
  { title: 'Record', show: ({ resourceId }) => <IdLink id={resourceId} isBare /> },
  {
    title: 'Actor',
    show: ({ actorId, actorType }) =>
      actorId === null ? actorTypeWords(actorType) : <Actor id={actorId} isBare />,
  },
  { title: 'Reason', show: ({ reason }) => reason ?? '–' },
];

export function Screen() {
  const [state, change] = useUrlState();
  const { id } = state;
  const isPlatform = useIsPlatform();
  // The address names the entry; one opened from the list is shown without another read.
  const [known, setKnown] = useState<AuditEntry>();
  const opened = known?.id === id ? known : undefined;
  const open = (entry: AuditEntry) => {
    setKnown(entry);
    change({ id: entry.id });
  };
  return (
    <>
      <ScreenHead
        title="Audit log"
        note={<Note />}
        actions={<PlatformChoice label="Audit log" />}
      />
      <FilteredTable
        label="Audit records"
        screen="audit"
        of={isPlatform ? 'platform' : undefined}
        topic="Audit"
        filters={[
          { name: 'action', label: 'Action', choices: AUDIT_ACTIONS, words: auditWords },
          {
            name: 'resourceType',
            label: 'Record type',
            choices: AUDIT_RESOURCE_TYPES,
            words: fieldWords,
          },
          { name: 'resourceId', label: 'Record ID', placeholder: 'Any Holdfast ID' },
          { name: 'actorId', label: 'Actor', placeholder: 'opr_… or key_…' },
          { name: 'result', label: 'Result', choices: AUDIT_RESULTS },
          { name: 'createdAfter', label: 'From date (UTC)', type: 'date' },
          { name: 'createdBefore', label: 'Until date (UTC)', type: 'date', isLastDay: true },
        ]}
        list={(holdfast, query, options) =>
          (isPlatform ? clientOf({}) : holdfast).audit.list(query, options)
        }
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={open}
        empty={
          <EmptyState title="No matching audit records">
            Every change by an API key, an operator, a provider or Holdfast is recorded. Clear the
            filters to see more.
          </EmptyState>
        }
      />
      <SideDrawer
        isOpen={id !== undefined}
        close={() => change({ id: undefined })}
        size="xl"
        title={opened === undefined ? 'Audit record' : auditActions[opened.action].description}
      >
        {opened ? (
          <OneEntry entry={opened} isPlatform={isPlatform} />
        ) : (
          id !== undefined && <FoundEntry id={id} isPlatform={isPlatform} />
        )}
      </SideDrawer>
    </>
  );
}

function Note() {
  return (
    <>
      <div>
        Every change, who made it, and why. Each entry is cryptographically linked to the one
        before, so edited or deleted entries can be detected.
      </div>
      <div>
        To verify the audit log independently, run:{' '}
        <CommandHint command="holdfast verify audit --database" />
      </div>
    </>
  );
}
