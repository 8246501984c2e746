//! One user: balances, debts, statement, orders, money in and out, wallet; freezing and adjusting.
import { ANY_ACTING } from '@holdfast/contract/roles';
import type { User } from '@holdfast/sdk';
import { Alert, Group, SimpleGrid, Stack, Tabs } from '@mantine/core';
import { useParam, useUrlState } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { useHoldfast, useMay } from '#app/session/session.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Masked } from '#parts/masked.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { RelatedUserRecords } from '#parts/related-records.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge, wordsOf } from '#parts/state-badge.tsx';
import { Adjustment } from '#screens/user/adjustment.tsx';
import { Balances } from '#screens/user/balances.tsx';
import { Debts } from '#screens/user/debts.tsx';
import { Freeze } from '#screens/user/freeze.tsx';
import { StatementView } from '#screens/user/statement-view.tsx';
import { UserTopups, UserWithdrawals } from '#screens/user/user-flows.tsx';
import { UserOrders } from '#screens/user/user-orders.tsx';
import { WalletView } from '#screens/user/wallet-view.tsx';

export function Screen() {
  const id = useParam('id');
  const reading = useRead('User', [id], (holdfast, signal) => holdfast.users.get(id, { signal }));
  return <Loaded of={reading}>{(user) => <Shown user={user} />}</Loaded>;
}

function Shown({ user }: { readonly user: User }) {
  return (
    <Stack>
      <ScreenHead
        title={user.externalUserId}
        badge={<StateBadge state={user.status} />}
        note={
          <Group gap="md">
            <IdLink id={user.id} to={null} />
            <span>
              Created <Moment at={user.createdAt} />
            </span>
          </Group>
        }
        actions={
          <>
            <Adjustment user={user} />
            <Freeze user={user} />
          </>
        }
      />
      {user.status === 'SUSPENDED' && (
        <Alert variant="light" color="orange" title="Frozen">
          New orders, top-ups, withdrawals and escrows are blocked, and so is the payout of
          unconfirmed withdrawals. Orders already in escrow continue, and incoming money is
          credited.
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Panel title="Balances">
          <Balances userId={user.id} />
        </Panel>
        <Panel title="Profile">
          <About user={user} />
        </Panel>
      </SimpleGrid>
      <Debts user={user} />
      <Panel title="Related records">
        <RelatedUserRecords id={user.id} />
      </Panel>
      <More user={user} />
    </Stack>
  );
}

function About({ user }: { readonly user: User }) {
  const holdfast = useHoldfast();
  const mayReveal = useMay(ANY_ACTING);
  const revealed = async (reason: string) =>
    await holdfast.users.reveal(user.id, { reason }, { reason });
  return (
    <Facts
      rows={[
        [
          'Email',
          <Masked
            key="email"
            value={user.email}
            what="the email address"
            reveal={mayReveal ? async (why) => (await revealed(why)).email : undefined}
          />,
        ],
        ['Role', wordsOf(user.type)],
        ['Deposit currency', user.depositCurrency],
        [
          'Payment account',
          <Masked
            key="account"
            value={user.paymentAccountUserId}
            what="the payment account"
            reveal={
              mayReveal ? async (why) => (await revealed(why)).paymentAccountUserId : undefined
            }
          />,
        ],
        ['Payment account linked', <Moment key="linked" at={user.linkedAt} />],
        ['Blockchain address', <IdLink key="address" id={user.ledgerAddress} />],
        ['Updated', <Moment key="changed" at={user.updatedAt} />],
      ]}
    />
  );
}

function More({ user }: { readonly user: User }) {
  const [{ tab = 'statement' }, change] = useUrlState();
  return (
    <Tabs value={tab} onChange={(value) => change({ tab: value ?? undefined })} keepMounted={false}>
      <Tabs.List aria-label="User details">
        <Tabs.Tab value="statement">Statement</Tabs.Tab>
        <Tabs.Tab value="buys">Orders as buyer</Tabs.Tab>
        <Tabs.Tab value="sells">Orders as seller</Tabs.Tab>
        <Tabs.Tab value="topups">Top-ups</Tabs.Tab>
        <Tabs.Tab value="withdrawals">Withdrawals</Tabs.Tab>
        <Tabs.Tab value="wallet">Wallet</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="statement" pt="md">
        <StatementView userId={user.id} />
      </Tabs.Panel>
      <Tabs.Panel value="buys" pt="md">
        <UserOrders userId={user.id} as="buyer" />
      </Tabs.Panel>
      <Tabs.Panel value="sells" pt="md">
        <UserOrders userId={user.id} as="seller" />
      </Tabs.Panel>
      <Tabs.Panel value="topups" pt="md">
        <UserTopups userId={user.id} />
      </Tabs.Panel>
      <Tabs.Panel value="withdrawals" pt="md">
        <UserWithdrawals userId={user.id} />
      </Tabs.Panel>
      <Tabs.Panel value="wallet" pt="md">
        <WalletView userId={user.id} />
      </Tabs.Panel>
    </Tabs>
  );
}
