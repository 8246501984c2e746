//! One audit record: who, why, and each field before and after.
import { instantText } from '@holdfast/kernel/clock';
import { microsOf, readId } from '@holdfast/kernel/ids';
import type { AuditEntry } from '@holdfast/sdk';
import { Stack, Text } from '@mantine/core';
import { useRead } from '#app/read.ts';
import { clientOf } from '#app/session/session.tsx';
import { Actor } from '#parts/actor.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { RequestLink } from '#parts/request-link.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { ShortTable } from '#parts/table/short-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { auditWords } from '#parts/words/audit-words.ts';
import { fieldWords } from '#parts/words/field-words.ts';
import { type ChangedField, changedFields } from '#screens/audit/changed-fields.ts';

// biome-ignore format: a table is the one thing exempt from the line limit.
const CHANGES: readonly Column<ChangedField>[] = [
  { title: 'Field', show: ({ name }) => fieldWords(name) },
  { title: 'Before', show: ({ before }) => <span className="hf-text">{before ?? '–'}</span> },
  { title: 'After', show: ({ after }) => <span className="hf-text">{after ?? '–'}</span> },
];

/** As the actor itself is called. */
export function actorTypeWords(type: string): string {
  return type === 'SYSTEM' ? 'Holdfast' : wordsOf(type);
}

interface OneProps {
  readonly entry: AuditEntry;
  /** Of no marketplace, whose log of requests would have the one behind it. */
  readonly isPlatform: boolean;
}

export function OneEntry({ entry, isPlatform }: OneProps) {
  return (
    <Stack>
      <Facts
        rows={[
          ['Audit record ID', <IdLink key="id" id={entry.id} to={null} />],
          ['Action', auditWords(entry.action)],
          ['Result', <StateBadge key="result" state={entry.result} />],
          ['Record', <IdLink key="about" id={entry.resourceId} />],
          ['Actor', <Actor key="who" id={entry.actorId} />],
          ['Actor type', actorTypeWords(entry.actorType)],
          ['Reason', entry.reason],
          ['Address', entry.address],
          ['User agent', entry.userAgent],
          ['Time', <Moment key="when" at={entry.occurredAt} />],
          [
            'Request',
            entry.correlationId &&
              (isPlatform ? (
                <IdLink key="request" id={entry.correlationId} to={null} />
              ) : (
                <RequestLink key="request" id={entry.correlationId} />
              )),
          ],
        ]}
      />
      <Changes entry={entry} />
    </Stack>
  );
}

function Changes({ entry: { before, after } }: { readonly entry: AuditEntry }) {
  const fields = changedFields(before, after);
  if (fields.length === 0) return <Text size="sm">No fields changed.</Text>;
  return (
    <ShortTable label="Changed fields" columns={CHANGES} rows={fields} idOf={({ name }) => name} />
  );
}

interface FoundProps {
  readonly id: string;
  readonly isPlatform: boolean;
}

/** An entry by its id, which starts with its time: the list has it there. */
export function FoundEntry({ id, isPlatform }: FoundProps) {
  const entry = useRead('Audit', ['one', isPlatform, id], async (holdfast, signal) => {
    const known = readId('aud', id);
    if (known === undefined) return null;
    const at = Math.floor(microsOf(known) / 1000);
    const query = { createdAfter: instantText(at), createdBefore: instantText(at + 1) };
    const { audit } = isPlatform ? clientOf({}) : holdfast;
    for await (const one of audit.list({ ...query, limit: 100 }, { signal })) {
      if (one.id === id) return one;
    }
    return null;
  });
  return (
    <Loaded of={entry}>
      {(found) =>
        found === null ? (
          <EmptyState title="Audit record not found">
            Check the link, or search the audit log.
          </EmptyState>
        ) : (
          <OneEntry entry={found} isPlatform={isPlatform} />
        )
      }
    </Loaded>
  );
}
