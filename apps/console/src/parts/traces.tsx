//! Where else something has left traces: entries, operations, notices of providers, the audit log.
import { Group } from '@mantine/core';
import { Go } from '#app/go.tsx';

type Trace = readonly [name: string, at: (id: string) => string];

const OF_ANYTHING: readonly Trace[] = [
  ['Operations', (id) => `/operations?resourceId=${id}`],
  ['Notices', (id) => `/inbox?resourceId=${id}`],
  ['Audit', (id) => `/audit?resourceId=${id}`],
];

const OF_MONEY: readonly Trace[] = [['Entries', (id) => `/ledger?subjectId=${id}`], ...OF_ANYTHING];

const OF_USERS: readonly Trace[] = [
  ['Accounts in the books', (id) => `/ledger?ownerId=${id}&tab=accounts`],
  ['All top-ups', (id) => `/topups?userId=${id}`],
  ['All withdrawals', (id) => `/withdrawals?userId=${id}`],
  ...OF_ANYTHING,
];

/** Of an order, a top-up, a withdrawal: what entries are about. */
export function Traces({ id }: { readonly id: string }) {
  return <Links id={id} traces={OF_MONEY} />;
}

export function UserTraces({ id }: { readonly id: string }) {
  return <Links id={id} traces={OF_USERS} />;
}

function Links({ id, traces }: { readonly id: string; readonly traces: readonly Trace[] }) {
  return (
    <Group gap="md" component="nav" aria-label={`Traces of ${id}`}>
      {traces.map(([name, at]) => (
        <Go key={name} to={at(id)} size="sm">
          {name}
        </Go>
      ))}
    </Group>
  );
}
