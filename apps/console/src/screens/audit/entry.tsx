//! One audit entry: who, why, and each field before and after.
import type { AuditEntry } from '@holdfast/sdk';
import { Stack, Table, Text } from '@mantine/core';
import { useRead } from '#app/read.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { RequestLink } from '#parts/request-link.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { changedFields } from '#screens/audit/changed-fields.ts';

export function OneEntry({ entry }: { readonly entry: AuditEntry }) {
  return (
    <Stack>
      <Facts
        rows={[
          ['Entry', <IdLink key="id" id={entry.id} to={null} />],
          ['What', wordsOf(entry.action)],
          ['Result', <StateBadge key="result" state={entry.result} />],
          ['About', <IdLink key="about" id={entry.resourceId} />],
          ['Who', <IdLink key="who" id={entry.actorId} />],
          ['As', wordsOf(entry.actorType)],
          ['Why', entry.reason],
          ['When', <Moment key="when" at={entry.occurredAt} />],
          [
            'Request',
            entry.correlationId && <RequestLink key="request" id={entry.correlationId} />,
          ],
        ]}
      />
      <Changes entry={entry} />
    </Stack>
  );
}

function Changes({ entry: { before, after } }: { readonly entry: AuditEntry }) {
  const fields = changedFields(before, after);
  if (fields.length === 0) return <Text size="sm">It changed no field.</Text>;
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Field</Table.Th>
          <Table.Th>Before</Table.Th>
          <Table.Th>After</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {fields.map((field) => (
          <Table.Tr key={field.name}>
            <Table.Td>{field.name}</Table.Td>
            <Table.Td className="hf-text">{field.before ?? '–'}</Table.Td>
            <Table.Td className="hf-text">{field.after ?? '–'}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const AROUND_MS = 1_000;

/** An entry by its id: the search tells when it was, and the list has it there. */
export function FoundEntry({ id }: { readonly id: string }) {
  const entry = useRead('Audit', ['one', id], async (holdfast, signal) => {
    const { hits } = await holdfast.search.find({ q: id }, { signal });
    const at = hits.find((hit) => hit.id === id)?.createdAt;
    if (!at) return null;
    const around = (ms: number) => new Date(Date.parse(at) + ms).toISOString();
    const query = { createdAfter: around(-AROUND_MS), createdBefore: around(AROUND_MS) };
    for await (const one of holdfast.audit.list({ ...query, limit: 100 }, { signal })) {
      if (one.id === id) return one;
    }
    return null;
  });
  return (
    <Loaded of={entry}>
      {(found) =>
        found === null ? <EmptyState title="There is no such entry" /> : <OneEntry entry={found} />
      }
    </Loaded>
  );
}
