//! What waits for a second person. Made for a phone: one card per request, two buttons.
import { approvalMachine } from '@holdfast/contract/approval-machine';
import { statesOf } from '@holdfast/contract/machine';
import type { Approval, ApprovalStatus } from '@holdfast/sdk';
import { Button, Center, Group, Loader, SimpleGrid, Tabs, Text } from '@mantine/core';
import { useUrlState } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { ErrorNote } from '#parts/error-note.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { ShowMore } from '#parts/show-more.tsx';
import { useRows } from '#parts/use-rows.ts';
import { ApprovalCard } from '#screens/approvals/approval-card.tsx';
import { type Begin, useDecide } from '#screens/approvals/decide.tsx';

const EVERY_MS = 10_000;
/** Each card that waits asks for what it would do. */
const PAGE = 20;
const ALL = 'all';

const WORDS: Readonly<Record<ApprovalStatus, string>> = {
  PENDING: 'Waiting',
  APPROVED: 'Under way',
  EXECUTED: 'Done',
  FAILED: 'Failed',
  REJECTED: 'Rejected',
  EXPIRED: 'Expired',
};
const STATES = Object.keys(WORDS) as readonly ApprovalStatus[];

export function Screen() {
  const [{ id, status: word }, change] = useUrlState();
  const status = word === ALL ? undefined : (statesOf(approvalMachine).find(is(word)) ?? 'PENDING');
  const tab = status ?? ALL;
  const { begin, shown } = useDecide();
  return (
    <>
      <ScreenHead title="Approvals" note="Whoever asked cannot agree. Agreeing does it at once." />
      {id === undefined ? (
        <Tabs
          value={tab}
          onChange={(value) => change({ status: value ?? undefined })}
          keepMounted={false}
        >
          <Tabs.List aria-label="Which approvals">
            {STATES.map((state) => (
              <Tabs.Tab key={state} value={state}>
                {WORDS[state]}
              </Tabs.Tab>
            ))}
            <Tabs.Tab value={ALL}>All</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value={tab} pt="md">
            <Listed status={status} begin={begin} />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <One id={id} begin={begin} showAll={() => change({ id: undefined })} />
      )}
      {shown}
    </>
  );
}

const is = (word: string | undefined) => (state: ApprovalStatus) => state === word;

interface OneProps {
  readonly id: string;
  readonly begin: Begin;
  readonly showAll: () => void;
}

function One({ id, begin, showAll }: OneProps) {
  const reading = useRead(
    'Approval',
    ['one', id],
    (holdfast, signal) => holdfast.approvals.get(id, { signal }),
    { everyMs: EVERY_MS },
  );
  return (
    <>
      <Group mb="md">
        <Button variant="default" onClick={showAll}>
          Show all
        </Button>
      </Group>
      <Loaded of={reading}>{(approval) => <Cards approvals={[approval]} begin={begin} />}</Loaded>
    </>
  );
}

interface ListedProps {
  readonly status: ApprovalStatus | undefined;
  readonly begin: Begin;
}

function Listed({ status, begin }: ListedProps) {
  const { rows, query, refresh } = useRows<Approval>({
    topic: 'Approval',
    queryKey: ['approvals', status],
    list: (holdfast, signal) =>
      holdfast.approvals.list({ ...(status && { status }), limit: PAGE }, { signal }),
    everyMs: EVERY_MS,
  });
  if (query.error && rows.length === 0)
    return <ErrorNote error={query.error} retry={() => void query.refetch()} />;
  if (query.isPending) {
    return (
      <Center h={160}>
        <Loader aria-label="Loading approvals" />
      </Center>
    );
  }
  return (
    <>
      {status !== undefined && (
        <Text size="sm" c="dimmed" mb="sm">
          {approvalMachine.states[status]}
        </Text>
      )}
      <Cards approvals={rows} begin={begin} />
      {rows.length > 0 && (
        <Group justify="space-between" mt="md">
          <Text size="sm" c="dimmed" role="status">
            {rows.length} {query.hasNextPage ? 'shown, there are more' : 'in all'}
          </Text>
          <Group gap="xs">
            <ShowMore of={query} />
            <Button variant="default" onClick={refresh}>
              Refresh
            </Button>
          </Group>
        </Group>
      )}
    </>
  );
}

interface CardsProps {
  readonly approvals: readonly Approval[];
  readonly begin: Begin;
}

function Cards({ approvals, begin }: CardsProps) {
  if (approvals.length === 0) {
    return (
      <EmptyState title="Nothing here">
        Decisions above your limit, every adjustment of a balance and every posting that settles a
        difference wait here for a second person.
      </EmptyState>
    );
  }
  return (
    <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
      {approvals.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} begin={begin} />
      ))}
    </SimpleGrid>
  );
}
