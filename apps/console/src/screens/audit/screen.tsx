//! Audit: who did what, when, why, and what it changed.
import {
  AUDIT_ACTIONS,
  AUDIT_RESOURCE_TYPES,
  auditActions,
} from '@holdfast/contract/audit-actions';
import { AUDIT_RESULTS } from '@holdfast/contract/words';
import type { AuditEntry } from '@holdfast/sdk';
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useUrlState } from '#app/go.tsx';
import { clientOf, useSession } from '#app/session.tsx';
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
  const isPlatform = useIsPlatform();
  // The address names it; whoever opened it here need not wait until it is found again.
  const [known, setKnown] = useState<AuditEntry>();
  const opened = known?.id === id ? known : undefined;
  const open = (entry: AuditEntry) => {
    setKnown(entry);
    change({ id: entry.id });
  };
  return (
    <>
      <ScreenHead title="Audit" note={<Note />} actions={<WhoseAudit />} />
      <FilteredTable
        label="Audit entries"
        screen="audit"
        of={isPlatform ? 'platform' : undefined}
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
        list={(holdfast, query, options) =>
          (isPlatform ? clientOf({}) : holdfast).audit.list(query, options)
        }
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
        {opened ? (
          <OneEntry entry={opened} isPlatform={isPlatform} />
        ) : (
          id !== undefined && <FoundEntry id={id} isPlatform={isPlatform} />
        )}
      </SideDrawer>
    </>
  );
}

const OWN = 'own';
const PLATFORM = 'platform';

/** Whoever names no marketplace is told what is none's own, such as who was made an operator. */
function useIsPlatform(): boolean {
  const { session, marketplaceId } = useSession();
  const [{ log }] = useUrlState();
  return marketplaceId === '' || (session.operator.isPlatformAdmin && log === PLATFORM);
}

/** A platform admin who is in a marketplace chooses between its audit and the platform's. */
function WhoseAudit() {
  const { session, marketplaceId, marketplaceName } = useSession();
  const [, change] = useUrlState();
  const isPlatform = useIsPlatform();
  if (marketplaceId === '' || !session.operator.isPlatformAdmin) return null;
  return (
    <SegmentedControl
      aria-label="Whose audit"
      data={[
        { value: OWN, label: marketplaceName },
        { value: PLATFORM, label: 'The platform' },
      ]}
      value={isPlatform ? PLATFORM : OWN}
      onChange={(log) => change({ log: log === PLATFORM ? log : undefined, id: undefined })}
    />
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
