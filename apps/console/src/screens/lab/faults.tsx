//! Faults of the pretended providers: which are armed, arming one, disarming all.
import { ADMIN } from '@holdfast/contract/roles';
import type { Lab } from '@holdfast/sdk';
import { Group, NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast } from '#app/session.tsx';
import { ActionButton } from '#parts/action-button.tsx';
import { EffectList } from '#parts/effect-list.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { Panel } from '#parts/panel.tsx';
import { ShortTable } from '#parts/short-table.tsx';
import type { Column } from '#parts/table-columns.tsx';

const FAULT_COLUMNS: readonly Column<Lab['faults'][number]>[] = [
  { title: 'Provider', show: ({ provider }) => provider },
  { title: 'Step', show: ({ operation }) => operation },
  { title: 'Fault', show: ({ kind }) => kind },
  { title: 'Times left', isEnd: true, show: ({ times }) => times },
];

interface Props {
  readonly lab: Lab;
}

export function Faults({ lab }: Props) {
  const { faults } = lab;
  return (
    <Panel
      title="Armed faults"
      actions={
        <Group gap="xs">
          <ArmFault lab={lab} />
          <ClearFaults lab={lab} />
        </Group>
      }
    >
      {faults.length === 0 ? (
        <EmptyState title="No fault is armed">
          Arm one to see what Holdfast does when a provider refuses, is slow, or loses its answer.
        </EmptyState>
      ) : (
        <ShortTable
          label="Armed faults"
          minWidth={420}
          columns={FAULT_COLUMNS}
          rows={faults}
          idOf={({ provider, operation, kind }) => `${provider} ${operation} ${kind}`}
        />
      )}
    </Panel>
  );
}

function ArmFault({ lab: { kinds, operations } }: Props) {
  const holdfast = useHoldfast();
  const [place, setPlace] = useState('');
  const [kind, setKind] = useState('');
  const [times, setTimes] = useState<number | string>(1);
  const [provider = '', operation = ''] = place.split(' ');
  const means = kinds.find((one) => one.kind === kind)?.means;
  const isWhole = typeof times === 'number' && Number.isInteger(times) && times >= 1;
  return (
    <ActionButton
      label="Arm a fault"
      isPrimary
      isSmall
      roles={ADMIN}
      title="Arm a fault"
      effect={
        <EffectList
          lines={[
            place === ''
              ? 'The next such steps of the provider fail.'
              : `The next ${times === 1 ? 'call' : `${times} calls`} of ${operation} at the ${provider} provider: ${means ?? 'as you choose'}.`,
          ]}
        />
      }
      confirm="Arm it"
      done={`Armed: ${kind} at ${operation} of the ${provider} provider`}
      missing={
        place === '' || kind === '' || !isWhole ? 'Choose where, what and how often' : undefined
      }
      touches={['Lab']}
      run={(reason) =>
        holdfast.lab.armFault({ provider, operation, kind, times: isWhole ? times : 1 }, { reason })
      }
    >
      <Group grow align="flex-end">
        <Select
          label="Step"
          searchable
          data={operations.map((one) => `${one.provider} ${one.operation}`)}
          value={place === '' ? null : place}
          onChange={(value) => setPlace(value ?? '')}
        />
        <Select
          label="Fault"
          searchable
          data={kinds.map((one) => one.kind)}
          value={kind === '' ? null : kind}
          onChange={(value) => setKind(value ?? '')}
        />
        <NumberInput
          label="Times"
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
      label="Disarm all"
      isSmall
      roles={ADMIN}
      whyNot={faults.length === 0 ? 'No fault is armed' : undefined}
      title="Disarm all faults"
      effect={<EffectList lines={['The pretended providers behave again.']} />}
      confirm="Disarm all"
      done="No fault is armed any more"
      touches={['Lab']}
      run={(reason) => holdfast.lab.clearFaults({ reason })}
    />
  );
}
