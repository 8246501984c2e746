//! Adjusts a balance by hand: always with a reason, always with a second approver.
import { FINANCE } from '@holdfast/contract/roles';
import type { Currency, User } from '@holdfast/sdk';
import { Group, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast, useSession } from '#app/session/session.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { centsOf, textOf } from '#parts/money/cents.ts';

const CURRENCIES: readonly Currency[] = ['USD', 'USDC', 'XLM'];

export function Adjustment({ user }: { readonly user: User }) {
  const holdfast = useHoldfast();
  const { baseCurrency } = useSession();
  const [kind, setKind] = useState<'credit' | 'debit'>('credit');
  const [text, setText] = useState('');
  const [currency, setCurrency] = useState(baseCurrency as Currency);
  const cents = centsOf(text);
  const amount = cents !== undefined && cents > 0n ? textOf(cents) : undefined;
  const run = async (reason: string) => {
    const input = { amount: amount ?? '', currency, description: reason };
    const { balances } = holdfast;
    const outcome =
      kind === 'credit'
        ? await balances.credit(user.id, input, { reason }).outcome()
        : await balances.debit(user.id, input, { reason }).outcome();
    // The next adjustment starts empty: the same one is not requested twice by accident.
    setText('');
    return outcome;
  };
  return (
    <ActionButton
      label="Adjust balance"
      roles={FINANCE}
      title="Adjust balance"
      confirm="Request approval"
      done="Balance adjusted"
      touches={['User', 'Ledger']}
      missing={amount === undefined ? 'Enter an amount such as 12.50' : undefined}
      effect={
        <>
          {kind === 'credit' ? 'Credits ' : 'Debits '}
          <Amount amount={amount ?? '0.00'} currency={currency} isStrong />
          {kind === 'credit' ? ' to' : ' from'} the available balance of {user.externalUserId},
          against the marketplace’s adjustment account. Requires a second approver.
        </>
      }
      run={run}
    >
      <SegmentedControl
        aria-label="Adjustment type"
        data={[
          { value: 'credit', label: 'Credit' },
          { value: 'debit', label: 'Debit' },
        ]}
        value={kind}
        onChange={(value) => setKind(value as 'credit' | 'debit')}
      />
      <Group grow>
        <TextInput
          label="Amount"
          inputMode="decimal"
          required
          data-autofocus
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <Select
          label="Currency"
          allowDeselect={false}
          data={[...CURRENCIES]}
          value={currency}
          onChange={(value) => setCurrency((value ?? baseCurrency) as Currency)}
        />
      </Group>
    </ActionButton>
  );
}
