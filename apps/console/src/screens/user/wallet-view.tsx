//! A user's address on the ledger network: what it holds, and what moved on it.
import type { WalletTransaction } from '@holdfast/sdk';
import { Stack } from '@mantine/core';
import { useRead } from '#app/read.ts';
import { Amount } from '#parts/amount.tsx';
import { DataTable } from '#parts/data-table.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { wordsOf } from '#parts/state-badge.tsx';
import type { Column } from '#parts/table-columns.tsx';

// biome-ignore format: a table is the one thing exempt from the line limit.
const COLUMNS: readonly Column<WalletTransaction>[] = [
  { title: 'When', show: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'What', show: ({ kind }) => wordsOf(kind) },
  { title: 'Amount', isEnd: true, show: ({ amount, asset, direction }) => <Amount amount={direction === 'OUT' ? `-${amount}` : amount} currency={asset} isChange /> },
  { title: 'With', show: ({ counterparty }) => <IdLink id={counterparty} isBare /> },
  { title: 'Transaction', show: ({ transactionHash }) => <IdLink id={transactionHash} isBare /> },
];

export function WalletView({ userId }: { readonly userId: string }) {
  const reading = useRead('User', [userId, 'wallet'], (holdfast, signal) =>
    holdfast.wallets.get(userId, { signal }),
  );
  return (
    <Stack>
      <Loaded of={reading}>
        {({ ledgerAddress, type, network, balances }) => (
          <Facts
            rows={[
              ['Address', <IdLink key="address" id={ledgerAddress} />],
              ['Kind', wordsOf(type)],
              ['Network', network],
              ...balances.map(
                ({ asset, balance }) =>
                  [
                    `Holds ${asset}`,
                    <Amount key={asset} amount={balance} currency={asset} />,
                  ] as const,
              ),
            ]}
          />
        )}
      </Loaded>
      <DataTable
        label="What moved on the address"
        topic="User"
        queryKey={[userId, 'wallet-transactions']}
        list={(holdfast, signal) =>
          holdfast.wallets.listTransactions(userId, { limit: 100 }, { signal })
        }
        idOf={({ id }) => id}
        columns={COLUMNS}
        height={400}
        empty={
          <EmptyState title="Nothing has moved on this address">
            Deposits from outside and payments out of escrow appear here.
          </EmptyState>
        }
      />
    </Stack>
  );
}
