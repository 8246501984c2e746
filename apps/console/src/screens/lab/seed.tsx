//! Creates sample orders, by the same operations as a marketplace's own calls.
import { LAB_ORDERS_MAX } from '@holdfast/contract/limits';
import { ADMIN } from '@holdfast/contract/roles';
import type { Lab, LabSample, LabSeed } from '@holdfast/sdk';
import { NumberInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { chosen } from '#app/chosen.ts';
import { useHoldfast } from '#app/session/session.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { CommandHint } from '#parts/action/command-hint.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';
import { Panel } from '#parts/panel.tsx';
import { NamedRow } from '#screens/lab/named-row.tsx';
import { Seeded } from '#screens/lab/seeded.tsx';

/** The names of the API, in words. */
const TITLES: Readonly<Record<LabSample, string>> = {
  'order-reserved': 'Reserved',
  'order-in-progress': 'In progress',
  'order-disputed': 'Disputed',
  'order-released': 'Released',
};

interface Props {
  readonly lab: Lab;
  readonly names: readonly LabSample[];
}

export function Seed({ lab: { samples }, names }: Props) {
  const [seed, setSeed] = useState<LabSeed>();
  return (
    <Panel title="Sample orders">
      <Stack gap="xs">
        {samples.map(({ name, description }) => {
          const sample = chosen(name, names);
          return (
            <NamedRow
              key={name}
              name={sample === undefined ? name : TITLES[sample]}
              description={description}
              action={
                sample && (
                  <CreateSample sample={sample} description={description} onSeeded={setSeed} />
                )
              }
            />
          );
        })}
        {seed && <Seeded seed={seed} />}
        <Text size="xs" c="dimmed">
          The Holdfast CLI has more scenarios, including payments and failures. To list them, run:{' '}
          <CommandHint command="holdfast trigger --list" />
        </Text>
      </Stack>
    </Panel>
  );
}

interface SampleProps {
  readonly sample: LabSample;
  readonly description: string;
  readonly onSeeded: (seed: LabSeed) => void;
}

function CreateSample({ sample, description, onSeeded }: SampleProps) {
  const holdfast = useHoldfast();
  const [count, setCount] = useState<number | string>(1);
  const isRight =
    typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= LAB_ORDERS_MAX;
  const many = count === 1 ? '1 order' : `${count} orders`;
  return (
    <ActionButton
      label="Create"
      isSmall
      roles={ADMIN}
      title={`Create sample orders: ${TITLES[sample].toLowerCase()}`}
      effect={
        <EffectList
          lines={[
            `Creates ${isRight ? many : 'orders'} between test users. ${description}`,
            'Buyers are credited without approval. Books, events and webhooks work as usual.',
            'If a fault stops an order, the reason is shown below the samples. If the outcome is unknown, the order continues automatically.',
          ]}
        />
      }
      confirm="Create"
      done={`Sample orders created: ${TITLES[sample].toLowerCase()}`}
      missing={isRight ? undefined : `Enter 1 to ${LAB_ORDERS_MAX} orders`}
      touches={['Lab', 'Home', 'Order', 'Dispute', 'User', 'Ledger', 'Operation']}
      run={async (reason) => {
        onSeeded(await holdfast.lab.seed({ sample, count: isRight ? count : 1 }, { reason }));
      }}
    >
      <NumberInput
        label="Orders"
        min={1}
        max={LAB_ORDERS_MAX}
        allowDecimal={false}
        data-autofocus
        value={count}
        onChange={setCount}
      />
    </ActionButton>
  );
}
