//! The ledger explorer: the chart of accounts, accounts by kind, and entries.
import { LEDGER_ACCOUNT_KINDS } from '@holdfast/contract/enums';
import { Tabs } from '@mantine/core';
import { useUrlState } from '#app/go.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { Accounts } from '#screens/ledger/accounts.tsx';
import { Chart } from '#screens/ledger/chart.tsx';
import { Entries } from '#screens/ledger/entries.tsx';

export function Screen() {
  const [state, change] = useUrlState();
  const wanted = state['subjectId'] === undefined ? 'chart' : 'entries';
  const tab = state['tab'] ?? wanted;
  return (
    <>
      <ScreenHead
        title="Ledger"
        note="Double-entry books: every entry moves an amount from one account to another. Entries are never changed."
      />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => change({ tab: value ?? undefined })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="chart">Chart of accounts</Tabs.Tab>
          <Tabs.Tab value="accounts">Accounts</Tabs.Tab>
          <Tabs.Tab value="entries">Entries</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="chart">
          <Chart openKind={(kind) => change({ tab: 'accounts', kind })} />
        </Tabs.Panel>
        <Tabs.Panel value="accounts">
          <Accounts kinds={LEDGER_ACCOUNT_KINDS} />
        </Tabs.Panel>
        <Tabs.Panel value="entries">
          <Entries />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
