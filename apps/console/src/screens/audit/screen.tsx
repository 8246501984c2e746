//! Audit: who did what, when, why, and what it changed.
import {
  AUDIT_ACTIONS,
  AUDIT_RESOURCE_TYPES,
  auditActions,
} from '@holdfast/contract/audit-actions';
import { AUDIT_RESULTS } from '@holdfast/contract/words';
import type { AuditEntry } from '@holdfast/sdk';
import { useState } from 'react';
import { useUrlState } from '#app/go.tsx';
import { Actor } from '#parts/actor.tsx';
import { CommandHint } from '#parts/command-hint.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FilteredTable } from '#parts/filtered-table.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { SideDrawer } from '#parts/side-drawer.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import type { Column } from '#parts/table-columns.tsx';
import { FoundEntry, OneEntry } from '#screens/audit/entry.tsx';

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: 'When', show: ({ occurredAt }) => <Moment at={occurredAt} /> },
  { title: 'What', show: ({ action }) => wordsOf(action) },
  { title: 'Result', show: ({ result }) => <StateBadge state={result} /> },
  { title: 'About', show: ({ resourceId }) => <IdLink id={resourceId} isBare /> },
  {
    title: 'Who',
    show: ({ actorId, actorType }) =>
      actorId === null ? wordsOf(actorType) : <Actor id={actorId} isBare />,
  },
  { title: 'Why', show: ({ reason }) => reason ?? '–' },
];

export function Screen() {
  const [state, change] = useUrlState();
  const { id } = state;
  // The address names it; whoever opened it here need not wait until it is found again.
  const [known, setKnown] = useState<AuditEntry>();
  const opened = known?.id === id ? known : undefined;
  const open = (entry: AuditEntry) => {
    setKnown(entry);
    change({ id: entry.id });
  };
  return (
    <>
      <ScreenHead title="Audit" note={<Note />} />
      <FilteredTable
        label="Audit entries"
        screen="audit"
        topic="Audit"
        filters={[
          { name: 'action', label: 'What', choices: AUDIT_ACTIONS },
          {
            name: 'resourceType',
            label: 'Resource',
            choices: AUDIT_RESOURCE_TYPES,
            words: (type) => type,
          },
          { name: 'resourceId', label: 'About', placeholder: 'any id of ours' },
          { name: 'actorId', label: 'Who', placeholder: 'opr_… or key_…' },
          { name: 'result', label: 'Result', choices: AUDIT_RESULTS },
          { name: 'createdAfter', label: 'From', type: 'date' },
          { name: 'createdBefore', label: 'Until', type: 'date', isLastDay: true },
        ]}
        list={(holdfast, query, options) => holdfast.audit.list(query, options)}
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={open}
        empty={
          <EmptyState title="No such entries">
            Whatever is changed leaves one: by a key, an operator, a provider or the service itself.
          </EmptyState>
        }
      />
      <SideDrawer
        isOpen={id !== undefined}
        close={() => change({ id: undefined })}
        size="xl"
        title={opened === undefined ? 'Audit entry' : auditActions[opened.action].means}
      >
        {opened ? <OneEntry entry={opened} /> : id !== undefined && <FoundEntry id={id} />}
      </SideDrawer>
    </>
  );
}

function Note() {
  return (
    <>
      <div>
        Every change, with who and why. Entries are chained by hashes; none can be changed or left
        out unseen.
      </div>
      <div>
        Verify the chain from outside the service, which could not be trusted to check itself:{' '}
        <CommandHint command="holdfast verify audit --database" />
      </div>
    </>
  );
}
