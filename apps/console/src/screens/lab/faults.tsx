//! Faults of the sandbox's providers: lists, adds and clears them.
import { ADMIN } from '@holdfast/contract/roles';
import type { Lab } from '@holdfast/sdk';
import { Group, NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast } from '#app/session/session.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Panel } from '#parts/panel.tsx';
import { ShortTable } from '#parts/table/short-table.tsx';
import type { Column } from '#parts/table/table-columns.tsx';

/** The providers of the sandbox, in words. */
const PROVIDERS: Readonly<Record<string, string>> = {
  escrow: 'Escrow provider',
  payment: 'Payment provider',
  ledger: 'Blockchain',
};

const providerWords = (provider: string) => PROVIDERS[provider] ?? provider;

const FAULT_COLUMNS: readonly Column<Lab['faults'][number]>[] = [
  { title: 'Provider', show: ({ provider }) => providerWords(provider) },
  { title: 'Call', show: ({ operation }) => operation },
  { title: 'Fault', show: ({ kind }) => kind },
  { title: 'Remaining calls', isEnd: true, show: ({ times }) => times },
];

interface Props {
  readonly lab: Lab;
}

export function Faults({ lab }: Props) {
  const { faults } = lab;
  return (
    <Panel
      title="Active faults"
      actions={
        <Group gap="xs">
          <AddFault lab={lab} />
          <ClearFaults lab={lab} />
        </Group>
      }
    >
      {faults.length === 0 ? (
        <EmptyState title="No active faults">
          Add a fault to test how Holdfast handles a provider that rejects a call, delays a response
          or loses it.
        </EmptyState>
      ) : (
        <ShortTable
          label="Active faults"
          minWidth={420}
          columns={FAULT_COLUMNS}
          rows={faults}
          idOf={({ provider, operation, kind }) => `${provider} ${operation} ${kind}`}
        />
      )}
    </Panel>
  );
}

function AddFault({ lab: { kinds, operations } }: Props) {
  const holdfast = useHoldfast();
  const [step, setStep] = useState('');
  const [kind, setKind] = useState('');
  const [times, setTimes] = useState<number | string>(1);
  const [provider = '', operation = ''] = step.split(' ');
  const description = kinds.find((one) => one.kind === kind)?.description;
  const who = `The ${providerWords(provider).toLowerCase()}`;
  const isWhole = typeof times === 'number' && Number.isInteger(times) && times >= 1;
  return (
    <ActionButton
      label="Add fault"
      isPrimary
      isSmall
      roles={ADMIN}
      title="Add fault"
      effect={
        <EffectList
          lines={[
            step === ''
              ? 'The fault applies to the next calls of the selected type.'
              : `${who} handles the next ${times === 1 ? `“${operation}” call` : `${times} “${operation}” calls`} as follows: ${description ?? 'choose a fault'}.`,
          ]}
        />
      }
      confirm="Add fault"
      done={`Fault added: ${kind} on ${operation}`}
      missing={
        step === '' || kind === '' || !isWhole
          ? 'Choose a provider call, a fault and the number of calls'
          : undefined
      }
      touches={['Lab']}
      run={(reason) =>
        holdfast.lab.armFault({ provider, operation, kind, times: isWhole ? times : 1 }, { reason })
      }
    >
      <Group grow align="flex-end">
        <Select
          label="Provider call"
          searchable
          data={operations.map((one) => ({
            value: `${one.provider} ${one.operation}`,
            label: `${providerWords(one.provider)}: ${one.operation}`,
          }))}
          value={step === '' ? null : step}
          onChange={(value) => setStep(value ?? '')}
        />
        <Select
          label="Fault"
          searchable
          data={kinds.map((one) => one.kind)}
          value={kind === '' ? null : kind}
          onChange={(value) => setKind(value ?? '')}
        />
        <NumberInput
          label="Number of calls"
          min={1}
          max={1000}
          allowDecimal={false}
          value={times}
          onChange={setTimes}
        />
      </Group>
    </ActionButton>
  );
}

function ClearFaults({ lab: { faults } }: Props) {
  const holdfast = useHoldfast();
  return (
    <ActionButton
      label="Clear all faults"
      isSmall
      roles={ADMIN}
      whyNot={faults.length === 0 ? 'No active faults' : undefined}
      title="Clear all faults"
      effect={<EffectList lines={['The sandbox providers work normally again.']} />}
      confirm="Clear all faults"
      done="All faults cleared"
      touches={['Lab']}
      run={(reason) => holdfast.lab.clearFaults({ reason })}
    />
  );
}
