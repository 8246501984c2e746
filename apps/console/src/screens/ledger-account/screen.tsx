//! One account: its balance now or at a time, its entries, and the check that they add up.
import type { LedgerAccount } from '@holdfast/sdk';
import { SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useGo, useParam, useUrlState } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { routeOf } from '#app/routes.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { Panel } from '#parts/panel.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { Section } from '#parts/section.tsx';
import { wordsOf } from '#parts/state-badge.tsx';
import { DataTable } from '#parts/table/data-table.tsx';
import { ENTRY_COLUMNS } from '#screens/ledger/entry-columns.tsx';
import { KIND_WORDS } from '#screens/ledger/kind-words.ts';
import { Verify } from '#screens/ledger-account/verify.tsx';

export function Screen() {
  const id = useParam('id');
  const account = useRead('Ledger', ['account', id], (holdfast, signal) =>
    holdfast.ledger.getAccount(id, {}, { signal }),
  );
  return <Loaded of={account}>{(found) => <Shown account={found} />}</Loaded>;
}

function Shown({ account }: { readonly account: LedgerAccount }) {
  const { id, kind, currency } = account;
  const go = useGo();
  return (
    <>
      <ScreenHead
        title={
          kind === 'user'
            ? `User balance account (${currency})`
            : `${wordsOf(kind)} account (${currency})`
        }
        note={
          <>
            <IdLink id={id} to={null} /> {KIND_WORDS[kind]}
          </>
        }
      />
      <Stack>
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Balance account={account} />
          <Verify account={account} />
        </SimpleGrid>
        <Section title="Entries">
          <DataTable
            label={`Entries of ${id}`}
            topic="Ledger"
            queryKey={['account-entries', id]}
            list={(holdfast, signal) =>
              holdfast.ledger.listAccountEntries(id, { limit: 100 }, { signal })
            }
            idOf={(entry) => entry.id}
            columns={ENTRY_COLUMNS}
            onOpen={(entry) => go(routeOf('LedgerEntry', entry.id) ?? '/ledger')}
            height={480}
            empty={
              <EmptyState title="No entries yet">
                Entries appear with the first transaction on this account.
              </EmptyState>
            }
          />
        </Section>
      </Stack>
    </>
  );
}

/** Now, or at the time in the address; the field has no zone and is in UTC, as all times here. */
function Balance({ account: now }: { readonly account: LedgerAccount }) {
  const [state, change] = useUrlState();
  const at = state['at'];
  const then = useRead(
    'Ledger',
    ['account', now.id, 'at', at],
    (holdfast, signal) => holdfast.ledger.getAccount(now.id, { at: `${at}:00Z` }, { signal }),
    { isEnabled: at !== undefined },
  );
  return (
    <Panel title={at === undefined ? 'Current balance' : 'Balance at selected time'}>
      <TextInput
        type="datetime-local"
        label="Time (UTC)"
        description="Leave empty for the current balance"
        mb="sm"
        value={at ?? ''}
        onChange={({ currentTarget }) => change({ at: currentTarget.value })}
      />
      {at === undefined ? (
        <BalanceFacts account={now} />
      ) : (
        <Loaded of={then}>{(found) => <BalanceFacts account={found} />}</Loaded>
      )}
    </Panel>
  );
}

function BalanceFacts({ account }: { readonly account: LedgerAccount }) {
  const { kind, ownerId, available, reserved, total, currency } = account;
  return (
    <Facts
      rows={[
        ['Total', <Amount key="total" amount={total} currency={currency} isStrong />],
        ['Available', <Amount key="available" amount={available} currency={currency} />],
        ['Reserved', <Amount key="reserved" amount={reserved} currency={currency} />],
        ['As of', <Moment key="at" at={account.at} />],
        ['Type', wordsOf(kind)],
        ['Owner', <IdLink key="owner" id={ownerId} />],
        ['Last updated', <Moment key="changed" at={account.updatedAt} />],
      ]}
    />
  );
}
