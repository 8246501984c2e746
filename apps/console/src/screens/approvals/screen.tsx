//! Pending approvals. Made for a phone: one card per request, two buttons.

import { statesOf } from '@holdfast/contract/machine';
import { approvalMachine } from '@holdfast/contract/machines/approval-machine';
import type { Approval, ApprovalStatus } from '@holdfast/sdk';
import { Button, Center, Group, Loader, SimpleGrid, Tabs, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useUrlState } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { clientOf, SessionProvider, useSession } from '#app/session/session.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { ErrorAlert } from '#parts/error-alert.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { PlatformChoice, useIsPlatform } from '#parts/platform-choice.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { ShowMore } from '#parts/table/show-more.tsx';
import { useRows } from '#parts/table/use-rows.ts';
import { ApprovalCard } from '#screens/approvals/approval-card.tsx';
import { type OpenDecision, useDecide } from '#screens/approvals/decide.tsx';

const EVERY_MS = 10_000;
/** Each pending card reads its own effect. */
const PAGE = 20;
const ALL = 'all';

const WORDS: Readonly<Record<ApprovalStatus, string>> = {
  PENDING: 'Pending',
  APPROVED: 'Approved',
  EXECUTED: 'Executed',
  FAILED: 'Failed',
  REJECTED: 'Rejected',
  EXPIRED: 'Expired',
};
const STATES = Object.keys(WORDS) as readonly ApprovalStatus[];

export function Screen() {
  return (
    <>
      <ScreenHead
        title="Approvals"
        note="You cannot approve your own requests. An approved request is executed immediately."
        actions={<PlatformChoice label="Approvals" />}
      />
      {useIsPlatform() ? <OfPlatform /> : <Approvals />}
    </>
  );
}

/** The requests of platform admins: the calls for them name no marketplace. */
function OfPlatform() {
  const session = useSession();
  const { csrfToken } = session.session;
  const platform = useMemo(
    () => ({ ...session, marketplaceId: '', holdfast: clientOf({ csrfToken }) }),
    [session, csrfToken],
  );
  return (
    <SessionProvider value={platform}>
      <Approvals />
    </SessionProvider>
  );
}

function Approvals() {
  const [{ id, status: word }, change] = useUrlState();
  const status = word === ALL ? undefined : (statesOf(approvalMachine).find(is(word)) ?? 'PENDING');
  const tab = status ?? ALL;
  const { openDecision, shown } = useDecide();
  return (
    <>
      {id === undefined ? (
        <Tabs
          value={tab}
          onChange={(value) => change({ status: value ?? undefined })}
          keepMounted={false}
        >
          <Tabs.List aria-label="Approval status">
            {STATES.map((state) => (
              <Tabs.Tab key={state} value={state}>
                {WORDS[state]}
              </Tabs.Tab>
            ))}
            <Tabs.Tab value={ALL}>All</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value={tab} pt="md">
            <Listed status={status} openDecision={openDecision} />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <One id={id} openDecision={openDecision} showAll={() => change({ id: undefined })} />
      )}
      {shown}
    </>
  );
}

const is = (word: string | undefined) => (state: ApprovalStatus) => state === word;

interface OneProps {
  readonly id: string;
  readonly openDecision: OpenDecision;
  readonly showAll: () => void;
}

function One({ id, openDecision, showAll }: OneProps) {
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
          View all approvals
        </Button>
      </Group>
      <Loaded of={reading}>
        {(approval) => <Cards approvals={[approval]} openDecision={openDecision} />}
      </Loaded>
    </>
  );
}

interface ListedProps {
  readonly status: ApprovalStatus | undefined;
  readonly openDecision: OpenDecision;
}

function Listed({ status, openDecision }: ListedProps) {
  const { rows, query, refresh } = useRows<Approval>({
    topic: 'Approval',
    queryKey: ['approvals', status],
    list: (holdfast, signal) =>
      holdfast.approvals.list({ ...(status && { status }), limit: PAGE }, { signal }),
    everyMs: EVERY_MS,
  });
  if (query.error && rows.length === 0)
    return <ErrorAlert error={query.error} retry={() => void query.refetch()} />;
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
      {rows.length === 0 && <NoRequests status={status} />}
      <Cards approvals={rows} openDecision={openDecision} />
      {rows.length > 0 && (
        <Group justify="space-between" mt="md">
          <Text size="sm" c="dimmed" role="status">
            {rows.length === 1 ? '1 request' : `${rows.length} requests`}
            {query.hasNextPage && ' shown, more available'}
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
  readonly openDecision: OpenDecision;
}

function NoRequests({ status }: Pick<ListedProps, 'status'>) {
  if (status === undefined || status === 'PENDING') {
    return (
      <EmptyState title={status === undefined ? 'No approval requests' : 'No pending requests'}>
        Payments above the approval limit, balance adjustments, reconciliation postings and more
        rights for operators appear here for a second approver.
      </EmptyState>
    );
  }
  return (
    <EmptyState title={`No ${WORDS[status].toLowerCase()} requests`}>
      Choose another tab to see other requests.
    </EmptyState>
  );
}

function Cards({ approvals, openDecision }: CardsProps) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2, xl: 3 }}>
      {approvals.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} openDecision={openDecision} />
      ))}
    </SimpleGrid>
  );
}
