//! Audit: who did what, when, why, and what it changed.
import {
  AUDIT_ACTIONS,
  AUDIT_RESOURCE_TYPES,
  auditActions,
} from '@holdfast/contract/audit-actions';
import { AUDIT_RESULTS } from '@holdfast/contract/words';
import type { AuditEntry } from '@holdfast/sdk';
import { Drawer } from '@mantine/core';
import { useState } from 'react';
import { chosen } from '#app/chosen.ts';
import { useUrlState } from '#app/go.tsx';
import { CommandHint } from '#parts/command-hint.tsx';
import { type Column, DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { FilterBar } from '#parts/filter-bar.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { FoundEntry, OneEntry } from '#screens/audit/entry.tsx';

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: 'When', show: ({ occurredAt }) => <Moment at={occurredAt} /> },
  { title: 'What', show: ({ action }) => wordsOf(action) },
  { title: 'Result', show: ({ result }) => <StateBadge state={result} /> },
  { title: 'About', show: ({ resourceId }) => <IdLink id={resourceId} isBare /> },
  {
    title: 'Who',
    show: ({ actorId, actorType }) =>
      actorId === null ? wordsOf(actorType) : <IdLink id={actorId} isBare />,
  },
  { title: 'Why', show: ({ reason }) => reason ?? '–' },
];

export function Screen() {
  const [state, change] = useUrlState();
  const [opened, setOpened] = useState<AuditEntry>();
  const query = {
    action: chosen(state['action'], AUDIT_ACTIONS),
    resourceType: chosen(state['resourceType'], AUDIT_RESOURCE_TYPES),
    resourceId: state['resourceId'],
    actorId: state['actorId'],
    result: chosen(state['result'], AUDIT_RESULTS),
    createdAfter: state['createdAfter'],
    createdBefore: state['createdBefore'],
    limit: 100,
  };
  return (
    <>
      <ScreenHead title="Audit" note={<Note />} />
      <FilterBar
        screen="audit"
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
          { name: 'createdBefore', label: 'Until', type: 'date' },
        ]}
      />
      <DataTable
        label="Audit entries"
        topic="Audit"
        queryKey={['entries', query]}
        list={(holdfast, signal) => holdfast.audit.list(query, { signal })}
        idOf={({ id }) => id}
        columns={COLUMNS}
        onOpen={setOpened}
        empty={
          <EmptyState title="No such entries">
            Whatever is changed leaves one: by a key, an operator, a provider or the service itself.
          </EmptyState>
        }
      />
      <Drawer
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        position="right"
        size="xl"
        title={opened === undefined ? '' : auditActions[opened.action].means}
      >
        {opened && <OneEntry entry={opened} />}
      </Drawer>
      <Drawer
        opened={state['id'] !== undefined}
        onClose={() => change({ id: undefined })}
        position="right"
        size="xl"
        title={state['id'] ?? ''}
      >
        {state['id'] !== undefined && <FoundEntry id={state['id']} />}
      </Drawer>
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
