//! One order: its state, its money, its timeline, and its actions.
import type { OrderDetail, OrderParty } from '@holdfast/sdk';
import { Group, SimpleGrid, Stack, Tabs, Text } from '@mantine/core';
import { Go, useParam, useUrlState } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { Panel } from '#parts/panel.tsx';
import { RawJson } from '#parts/raw-text.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { Milestones } from '#screens/order/milestones.tsx';
import { MoneyFlowPicture } from '#screens/order/money-flow-picture.tsx';
import { OrderActions } from '#screens/order/order-actions.tsx';
import { Postings } from '#screens/order/postings.tsx';
import { statePath } from '#screens/order/state-path.ts';
import { Timeline } from '#screens/order/timeline.tsx';

export function Screen() {
  const id = useParam('id');
  const reading = useRead('Order', [id, 'detail'], (holdfast, signal) =>
    holdfast.orders.detail(id, { signal }),
  );
  return <Loaded of={reading}>{(detail) => <Shown detail={detail} />}</Loaded>;
}

function Shown({ detail }: { readonly detail: OrderDetail }) {
  const { order, openOperationId } = detail;
  return (
    <Stack>
      <ScreenHead
        title={order.title}
        badge={<StateBadge state={order.status} />}
        note={
          <Group gap="md">
            <IdLink id={order.id} to={null} />
            {order.clientOrderRef !== null && <span>Reference {order.clientOrderRef}</span>}
            <span>
              Created <Moment at={order.createdAt} />
            </span>
          </Group>
        }
      />
      <StatePath detail={detail} />
      {openOperationId !== null && (
        <Text size="sm">
          Operation in progress: <IdLink id={openOperationId} />
        </Text>
      )}
      {order.dispute !== null && (
        <Text size="sm">
          Disputed by the {order.dispute.openedBy.toLowerCase()}:{' '}
          <Go to={`/disputes/${order.dispute.id}`}>View dispute</Go>
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Panel title="Amounts">
          <MoneyBox detail={detail} />
        </Panel>
        <Panel title="Money flow">
          <MoneyFlowPicture money={detail.money} />
        </Panel>
      </SimpleGrid>
      <Panel title="Actions">
        <OrderActions order={order} />
      </Panel>
      <More detail={detail} />
    </Stack>
  );
}

function StatePath({ detail: { order } }: { readonly detail: OrderDetail }) {
  return (
    <ol className="hf-path" aria-label="Progress">
      {statePath(order).map(({ state, is }) => (
        <li key={state} data-is={is} aria-current={is === 'now' ? 'step' : undefined}>
          {wordsOf(state)}
          {state === 'CLOSED' && order.closeReason !== null && ` · ${wordsOf(order.closeReason)}`}
        </li>
      ))}
    </ol>
  );
}

function MoneyBox({ detail: { money, order } }: { readonly detail: OrderDetail }) {
  const show = (amount: string, isStrong = false) => (
    <Amount amount={amount} currency={money.currency} isStrong={isStrong} />
  );
  return (
    <Facts
      rows={[
        ['Amount', show(money.amount, true)],
        ['Reserved', show(money.reserved)],
        ['Paid into escrow', show(money.escrowed)],
        ['Released to seller', show(money.released)],
        ['Refunded to buyer', show(money.refunded)],
        [`Fee (${order.feeRate}%)`, show(money.fee)],
        ['In escrow', show(money.remainder)],
      ]}
    />
  );
}

function More({ detail }: { readonly detail: OrderDetail }) {
  const [{ tab = 'timeline' }, change] = useUrlState();
  const { order, parties } = detail;
  return (
    <Tabs value={tab} onChange={(value) => change({ tab: value ?? undefined })} keepMounted={false}>
      <Tabs.List aria-label="Order details">
        <Tabs.Tab value="timeline">Timeline</Tabs.Tab>
        <Tabs.Tab value="milestones">Milestones</Tabs.Tab>
        <Tabs.Tab value="postings">Ledger entries</Tabs.Tab>
        <Tabs.Tab value="parties">Parties and contract</Tabs.Tab>
        <Tabs.Tab value="raw">JSON</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="timeline" pt="md">
        <Panel title="Timeline">
          <Timeline orderId={order.id} />
        </Panel>
      </Tabs.Panel>
      <Tabs.Panel value="milestones" pt="md">
        <Milestones order={order} />
      </Tabs.Panel>
      <Tabs.Panel value="postings" pt="md">
        <Postings subjectId={order.id} />
      </Tabs.Panel>
      <Tabs.Panel value="parties" pt="md">
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Party title="Buyer" party={parties.buyer} />
          <Party title="Seller" party={parties.seller} />
          <Contract detail={detail} />
        </SimpleGrid>
      </Tabs.Panel>
      <Tabs.Panel value="raw" pt="md">
        <Panel title="JSON">
          <RawJson label="Order as JSON" value={detail} />
        </Panel>
      </Tabs.Panel>
    </Tabs>
  );
}

function Party({ title, party }: { readonly title: string; readonly party: OrderParty }) {
  return (
    <Panel title={title}>
      <Facts
        rows={[
          ['User', <IdLink key="id" id={party.userId} />],
          ['External ID', party.externalUserId],
          ['Email', party.email],
          ['Status', <StateBadge key="state" state={party.status} />],
          ['Blockchain address', <IdLink key="address" id={party.ledgerAddress} />],
          ['Payment account', party.hasPaymentAccount ? 'Linked' : 'Not linked'],
        ]}
      />
    </Panel>
  );
}

function Contract({ detail: { contract, order } }: { readonly detail: OrderDetail }) {
  if (contract === null) {
    return (
      <Panel title="Contract">
        <EmptyState title="No contract yet">
          The contract is deployed when the marketplace creates the escrow.
        </EmptyState>
      </Panel>
    );
  }
  const { roles } = contract;
  return (
    <Panel title="Contract">
      <Facts
        rows={[
          ['Contract ID', <IdLink key="id" id={contract.contractId} />],
          ['Escrow status', order.escrow && <StateBadge key="state" state={order.escrow.status} />],
          ['Deployment transaction', <IdLink key="hash" id={contract.deployHash} />],
          ['Fee', `${contract.feeRate}%`],
          ['Buyer', <IdLink key="buyer" id={roles.buyer} />],
          ['Seller', <IdLink key="seller" id={roles.seller} />],
          ['Fee address', <IdLink key="platform" id={roles.platform} />],
          ['Dispute resolver', <IdLink key="resolver" id={roles.resolver} />],
        ]}
      />
    </Panel>
  );
}
