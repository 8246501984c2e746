//! A user's wallet on the Stellar network: its balances and its transactions.
import type { WalletTransaction } from '@holdfast/sdk';
import { Stack } from '@mantine/core';
import { useRead } from '#app/read.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { wordsOf } from '#parts/state-badge.tsx';
import { DataTable } from '#parts/table/data-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';

// biome-ignore format: a table is the one thing exempt from the line limit.
const COLUMNS: readonly Column<WalletTransaction>[] = [
  { title: 'Time', show: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: 'Type', show: ({ kind }) => wordsOf(kind) },
  { title: 'Amount', isEnd: true, show: ({ amount, asset, direction }) => <Amount amount={direction === 'OUT' ? `-${amount}` : amount} currency={asset} isChange /> },
  { title: 'Counterparty', show: ({ counterparty }) => <IdLink id={counterparty} isBare /> },
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
              ['Type', wordsOf(type)],
              ['Network', network],
              ...balances.map(
                ({ asset, balance }) =>
                  [
                    `${asset} balance`,
                    <Amount key={asset} amount={balance} currency={asset} />,
                  ] as const,
              ),
            ]}
          />
        )}
      </Loaded>
      <DataTable
        label="Wallet transactions"
        topic="User"
        queryKey={[userId, 'wallet-transactions']}
        list={(holdfast, signal) =>
          holdfast.wallets.listTransactions(userId, { limit: 100 }, { signal })
        }
        idOf={({ id }) => id}
        columns={COLUMNS}
        height={400}
        empty={
          <EmptyState title="No transactions yet">
            Deposits and payments from escrow appear here.
          </EmptyState>
        }
      />
    </Stack>
  );
}
