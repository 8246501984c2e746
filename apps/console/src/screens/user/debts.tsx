//! What a user owes, where it came from, and writing it off. Most users never owe anything.
import { FINANCE } from '@holdfast/contract/roles';
import type { Debt, LedgerEntry, User } from '@holdfast/sdk';
import { Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Go } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { routeOf } from '#app/routes.ts';
import { useHoldfast } from '#app/session/session.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { centsOf, textOf } from '#parts/money/cents.ts';
import { Panel } from '#parts/panel.tsx';
import { wordsOf } from '#parts/state-badge.tsx';
import { ShortTable } from '#parts/table/short-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';
import { writeOffWords } from '#screens/approvals/effect-words.ts';

const LATEST = 5;

interface Props {
  readonly user: User;
}

export function Debts({ user }: Props) {
  const debts = useRead('User', [user.id, 'debts'], (holdfast, signal) =>
    holdfast.users.listDebts(user.id, { signal }),
  );
  const isHidden = debts.data === undefined ? debts.error === null : debts.data.length === 0;
  if (isHidden) return null;
  return (
    <Panel title="Debts">
      <Loaded of={debts}>
        {(found) => (
          <Stack gap="lg">
            {found.map((debt) => (
              <DebtIn key={debt.currency} user={user} debt={debt} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

function DebtIn({ user, debt }: Props & { readonly debt: Debt }) {
  const { owed, currency } = debt;
  const accountId = `debt.${user.id}.${currency}`;
  const entries = useRead('User', [user.id, 'debt-entries', currency], (holdfast, signal) =>
    holdfast.ledger.listAccountEntries(accountId, { limit: LATEST }, { signal }).page(),
  );
  const isPaid = centsOf(owed) === 0n;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" className="hf-text">
          {isPaid ? (
            `Nothing is owed in ${currency} any more.`
          ) : (
            <>
              Owes <Amount amount={owed} currency={currency} isStrong />. Repaid first from the next
              money that the user receives.
            </>
          )}
        </Text>
        <WriteOff key={owed} user={user} debt={debt} isPaid={isPaid} />
      </Group>
      <Loaded of={entries}>
        {({ items }) => (
          <ShortTable
            label={`Where the debt in ${currency} came from`}
            columns={columnsFor(accountId)}
            rows={items}
            idOf={({ id }) => id}
          />
        )}
      </Loaded>
      <Go to={routeOf('LedgerAccount', accountId) ?? '/ledger'} size="sm">
        View all entries
      </Go>
    </Stack>
  );
}

/** A debt is an account below zero: what comes to it makes the debt smaller. */
function columnsFor(accountId: string): readonly Column<LedgerEntry>[] {
  return [
    { title: 'Change', show: ({ kind }) => wordsOf(kind) },
    { title: 'Record', show: ({ subjectId }) => <IdLink id={subjectId} isBare /> },
    { title: 'Time', show: ({ at }) => <Moment at={at} /> },
    {
      title: 'Amount',
      isEnd: true,
      show: ({ amount, currency, to }) => (
        <Amount amount={to.accountId === accountId ? `-${amount}` : amount} currency={currency} />
      ),
    },
  ];
}

function WriteOff({
  user,
  debt: { owed, currency },
  isPaid,
}: Props & { readonly debt: Debt; readonly isPaid: boolean }) {
  const holdfast = useHoldfast();
  const [text, setText] = useState(owed);
  const cents = centsOf(text);
  const isTooMuch = cents !== undefined && cents > (centsOf(owed) ?? 0n);
  const amount = cents !== undefined && cents > 0n && !isTooMuch ? textOf(cents) : undefined;
  return (
    <ActionButton
      label="Write off"
      roles={FINANCE}
      whyNot={isPaid ? 'Nothing is owed' : undefined}
      title={`Write off debt of ${user.externalUserId}`}
      confirm="Request approval"
      done="Debt written off"
      touches={['User', 'Ledger']}
      missing={
        amount === undefined
          ? isTooMuch
            ? `No more than ${owed} ${currency} is owed`
            : 'Enter an amount such as 12.50'
          : undefined
      }
      effect={
        <EffectList
          lines={[
            ...writeOffWords({ amount: amount ?? '0.00', user, debt: { owed, currency } }),
            'Another operator has to approve.',
          ]}
        />
      }
      run={(reason) =>
        holdfast.users
          .writeOffDebt(user.id, { amount: amount ?? '', currency, reason }, { reason })
          .outcome()
      }
    >
      <TextInput
        label={`Amount (${currency})`}
        inputMode="decimal"
        required
        data-autofocus
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </ActionButton>
  );
}
