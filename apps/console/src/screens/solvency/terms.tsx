//! The terms of this marketplace: who pays the provider's fee, what a reversal does, and how much
//! users may owe. A change needs a second approver.
import { FINANCE } from '@holdfast/contract/roles';
import type { MarketplaceTerms } from '@holdfast/sdk';
import { Input, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '#app/read.ts';
import { useSession } from '#app/session/session.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';
import { Actor } from '#parts/actor.tsx';
import { Facts } from '#parts/facts.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Amount } from '#parts/money/amount.tsx';
import { centsOf, textOf } from '#parts/money/cents.ts';
import { Panel } from '#parts/panel.tsx';
import {
  changesIn,
  owedInAll,
  type Settled,
  termName,
  termsWords,
  termValue,
} from '#parts/words/terms-words.ts';

export function Terms() {
  const { marketplaceId } = useSession();
  const terms = useRead('Marketplace', ['terms'], (holdfast, signal) =>
    holdfast.marketplaces.getTerms(marketplaceId, { signal }),
  );
  return (
    <Panel
      title="Terms"
      // What is shown as the present value must be what the form started from.
      actions={terms.data && <ChangeTerms key={terms.data.version} now={terms.data} />}
    >
      <Loaded of={terms}>{(found) => <Shown terms={found} />}</Loaded>
    </Panel>
  );
}

function Shown({ terms }: { readonly terms: MarketplaceTerms }) {
  const row = (term: keyof Settled) => [termName(term), termValue(term, terms)] as const;
  return (
    <Stack gap="sm">
      <Facts
        rows={[
          row('payinFee'),
          row('suspendOnReversal'),
          row('debtLimit'),
          ['Users owe now', <Owed key="owed" />],
        ]}
      />
      <Text size="sm" c="dimmed" className="hf-text">
        {terms.setAt === null || terms.setBy === null ? (
          'The terms that apply until others are set.'
        ) : (
          <>
            Version {terms.version}, set <Moment at={terms.setAt} /> by <Actor id={terms.setBy} />:{' '}
            {terms.reason}
          </>
        )}
      </Text>
    </Stack>
  );
}

function Owed() {
  const { data } = useRead('Ledger', ['chart'], (holdfast, signal) =>
    holdfast.ledger.chart({ signal }),
  );
  return data === undefined ? '–' : <Amount amount={owedInAll(data)} currency="USD" />;
}

interface Draft {
  readonly payinFee: Settled['payinFee'];
  readonly onReversal: 'freeze' | 'active';
  /** As typed. */
  readonly limit: string;
}

function ChangeTerms({ now }: { readonly now: MarketplaceTerms }) {
  const { holdfast, marketplaceId } = useSession();
  const [draft, setDraft] = useState<Draft>({
    payinFee: now.payinFee,
    onReversal: now.suspendOnReversal ? 'freeze' : 'active',
    limit: now.debtLimit,
  });
  const cents = centsOf(draft.limit);
  const debtLimit = cents === undefined || cents < 0n ? undefined : textOf(cents);
  const changes = changesIn(now, {
    payinFee: draft.payinFee,
    suspendOnReversal: draft.onReversal === 'freeze',
    ...(debtLimit !== undefined && { debtLimit }),
  });
  const isSame = Object.keys(changes).length === 0;
  const unchanged = isSame ? 'Change at least one term' : undefined;
  return (
    <ActionButton
      label="Change terms"
      roles={FINANCE}
      title="Change the terms of this marketplace"
      confirm="Request approval"
      done="Terms changed"
      touches={['Marketplace', 'Audit']}
      missing={debtLimit === undefined ? 'Enter a limit such as 1000.00' : unchanged}
      effect={
        <EffectList
          lines={[
            ...(isSame ? [] : termsWords(now, changes)),
            'Another operator has to approve. The new version then applies at once.',
          ]}
        />
      }
      run={(reason) =>
        holdfast.marketplaces.setTerms(marketplaceId, { ...changes, reason }, { reason }).outcome()
      }
    >
      <Fields draft={draft} change={(changed) => setDraft({ ...draft, ...changed })} />
    </ActionButton>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly change: (changed: Partial<Draft>) => void;
}

function Fields({ draft, change }: FieldsProps) {
  return (
    <>
      <Choice
        label={termName('payinFee')}
        value={draft.payinFee}
        change={(payinFee) => change({ payinFee })}
        data={[
          { value: 'MARKETPLACE', label: 'Paid by the marketplace' },
          { value: 'USER', label: 'Paid by the user' },
        ]}
      />
      <Choice
        label={termName('suspendOnReversal')}
        value={draft.onReversal}
        change={(onReversal) => change({ onReversal })}
        data={[
          { value: 'freeze', label: 'Is frozen' },
          { value: 'active', label: 'Stays active' },
        ]}
      />
      <TextInput
        label={`${termName('debtLimit')} (USD, all users together)`}
        description="0.00 stops payouts at the first debt"
        inputMode="decimal"
        required
        value={draft.limit}
        onChange={({ currentTarget }) => change({ limit: currentTarget.value })}
      />
    </>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly change: (value: T) => void;
  readonly data: { readonly value: T; readonly label: string }[];
}

function Choice<T extends string>({ label, value, change, data }: ChoiceProps<T>) {
  return (
    <Input.Wrapper label={label} labelElement="div">
      <SegmentedControl
        aria-label={label}
        fullWidth
        data={data}
        value={value}
        onChange={(chosen) => change(chosen as T)}
      />
    </Input.Wrapper>
  );
}
