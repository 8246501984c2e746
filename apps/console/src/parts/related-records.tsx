//! Links to related records: entries, operations, notifications of providers, the audit log.
import { Group } from '@mantine/core';
import { Go } from '#app/go.tsx';

type RecordLink = readonly [name: string, at: (id: string) => string];

const OF_ANYTHING: readonly RecordLink[] = [
  ['Operations', (id) => `/operations?resourceId=${id}`],
  ['Provider notifications', (id) => `/inbox?resourceId=${id}`],
  ['Audit log', (id) => `/audit?resourceId=${id}`],
];

const OF_MONEY: readonly RecordLink[] = [
  ['Ledger entries', (id) => `/ledger?subjectId=${id}`],
  ...OF_ANYTHING,
];

const OF_USERS: readonly RecordLink[] = [
  ['Ledger accounts', (id) => `/ledger?ownerId=${id}&tab=accounts`],
  ['Top-ups', (id) => `/topups?userId=${id}`],
  ['Withdrawals', (id) => `/withdrawals?userId=${id}`],
  ...OF_ANYTHING,
];

/** Of an order, a top-up, a withdrawal: what entries are about. */
export function RelatedRecords({ id }: { readonly id: string }) {
  return <Links id={id} links={OF_MONEY} />;
}

export function RelatedUserRecords({ id }: { readonly id: string }) {
  return <Links id={id} links={OF_USERS} />;
}

function Links({ id, links }: { readonly id: string; readonly links: readonly RecordLink[] }) {
  return (
    <Group gap="md" component="nav" aria-label={`Related records of ${id}`}>
      {links.map(([name, at]) => (
        <Go key={name} to={at(id)} size="sm">
          {name}
        </Go>
      ))}
    </Group>
  );
}
