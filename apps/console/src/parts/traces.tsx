//! Where else something has left traces: entries, operations, notices of providers, the audit log.
import { Group } from '@mantine/core';
import { Go } from '#app/go.tsx';

export function Traces({ id }: { readonly id: string }) {
  return (
    <Group gap="md" component="nav" aria-label={`Traces of ${id}`}>
      <Go to={`/ledger?subjectId=${id}`} size="sm">
        Entries
      </Go>
      <Go to={`/operations?resourceId=${id}`} size="sm">
        Operations
      </Go>
      <Go to={`/inbox?resourceId=${id}`} size="sm">
        Notices
      </Go>
      <Go to={`/audit?resourceId=${id}`} size="sm">
        Audit
      </Go>
    </Group>
  );
}
