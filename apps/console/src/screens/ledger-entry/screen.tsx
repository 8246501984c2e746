//! One entry: both sides, its cause and actor, and the related entries.
import type { LedgerEntry, LedgerFrom } from '@holdfast/sdk';
import { SimpleGrid, Stack } from '@mantine/core';
import { useParam } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { routeOf } from '#app/routes.ts';
import { Actor } from '#parts/actor.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { grouped } from '#parts/money/cents.ts';
import { Panel } from '#parts/panel.tsx';
import { RequestLink } from '#parts/request-link.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { wordsOf } from '#parts/state-badge.tsx';
import { ShortTable } from '#parts/table/short-table.tsx';
import { ENTRY_COLUMNS } from '#screens/ledger/entry-columns.tsx';

/** All of them are about the same thing. */
const COLUMNS = ENTRY_COLUMNS.filter(({ title }) => title !== 'Record');

export function Screen() {
  const id = useParam('id');
  const detail = useRead('Ledger', ['entry', id], (holdfast, signal) =>
    holdfast.ledger.getEntry(id, { signal }),
  );
  return (
    <Loaded of={detail}>
      {({ entry, related }) => (
        <>
          <ScreenHead
            title={`${wordsOf(entry.kind)}: ${grouped(entry.amount)} ${entry.currency}`}
            note={
              <>
                Entry <IdLink id={entry.id} to={null} /> · <Moment at={entry.at} />
              </>
            }
          />
          <Stack>
            <SimpleGrid cols={{ base: 1, md: 3 }}>
              <OneSide title="From" side={entry.from} entry={entry} />
              <OneSide title="To" side={entry.to} entry={entry} />
              <Why entry={entry} />
            </SimpleGrid>
            <Related entries={related} />
          </Stack>
        </>
      )}
    </Loaded>
  );
}

interface SideProps {
  readonly title: 'From' | 'To';
  readonly side: LedgerFrom;
  readonly entry: LedgerEntry;
}

function OneSide({ title, side, entry: { amount, currency } }: SideProps) {
  const after = (balance: string | null) =>
    balance === null ? 'Not tracked' : <Amount amount={balance} currency={currency} />;
  return (
    <Panel title={title}>
      <Facts
        rows={[
          [
            'Account',
            <IdLink
              key="account"
              id={side.accountId}
              to={routeOf('LedgerAccount', side.accountId) ?? null}
            />,
          ],
          ['Balance', wordsOf(side.bucket)],
          [
            'Change',
            <Amount
              key="change"
              amount={title === 'From' ? `-${amount}` : amount}
              currency={currency}
              isChange
              isStrong
            />,
          ],
          ['Available after', after(side.available)],
          ['Reserved after', after(side.reserved)],
        ]}
      />
    </Panel>
  );
}

function Why({ entry }: { readonly entry: LedgerEntry }) {
  return (
    <Panel title="Details">
      <Facts
        rows={[
          ['Record', <IdLink key="subject" id={entry.subjectId} />],
          ['Reference', entry.reference],
          ['Note', entry.note],
          ['Actor', <Actor key="actor" id={entry.actorId} />],
          ['Request', <RequestLink key="request" id={entry.requestId} />],
        ]}
      />
    </Panel>
  );
}

function Related({ entries }: { readonly entries: readonly LedgerEntry[] }) {
  if (entries.length === 0) {
    return (
      <EmptyState title="No related entries">
        There are no other entries for this record.
      </EmptyState>
    );
  }
  return (
    <Panel title="Related entries, oldest first">
      <ShortTable
        label="Related entries"
        columns={COLUMNS}
        rows={entries}
        idOf={({ id }) => id}
        minWidth={760}
      />
    </Panel>
  );
}
