//! Things to look at: whole stories, played by the same operations as a marketplace's own calls.
import { LAB_ORDERS_MAX } from '@holdfast/contract/limits';
import { ADMIN } from '@holdfast/contract/roles';
import type { Lab, LabSeed, LabStory } from '@holdfast/sdk';
import { NumberInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { chosen } from '#app/chosen.ts';
import { useHoldfast } from '#app/session.tsx';
import { ActionButton } from '#parts/action-button.tsx';
import { CommandHint } from '#parts/command-hint.tsx';
import { EffectList } from '#parts/effect-list.tsx';
import { Panel } from '#parts/panel.tsx';
import { NamedRow } from '#screens/lab/named-row.tsx';
import { Seeded } from '#screens/lab/seeded.tsx';

interface Props {
  readonly lab: Lab;
  readonly names: readonly LabStory[];
}

export function Seed({ lab: { stories }, names }: Props) {
  const [seed, setSeed] = useState<LabSeed>();
  return (
    <Panel title="Seed">
      <Stack gap="xs">
        {stories.map(({ name, means }) => {
          const story = chosen(name, names);
          return (
            <NamedRow
              key={name}
              name={name}
              means={means}
              action={story && <PlayStory story={story} means={means} onSeeded={setSeed} />}
            />
          );
        })}
        {seed && <Seeded seed={seed} />}
        <Text size="xs" c="dimmed">
          The command line has more stories, with payments and what goes wrong with them:{' '}
          <CommandHint command="holdfast trigger --list" />
        </Text>
      </Stack>
    </Panel>
  );
}

interface StoryProps {
  readonly story: LabStory;
  readonly means: string;
  readonly onSeeded: (seed: LabSeed) => void;
}

function PlayStory({ story, means, onSeeded }: StoryProps) {
  const holdfast = useHoldfast();
  const [count, setCount] = useState<number | string>(1);
  const isRight =
    typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= LAB_ORDERS_MAX;
  const many = count === 1 ? 'one order' : `${count} orders`;
  return (
    <ActionButton
      label="Seed"
      isSmall
      roles={ADMIN}
      title={`Seed ${story}`}
      effect={
        <EffectList
          lines={[
            `Makes ${isRight ? many : 'orders'} between pretended people. ${means}`,
            'Their buyers are given the money by hand. Books, events and webhooks follow as always.',
            'What an armed fault stops stays where it is, and is shown so.',
          ]}
        />
      }
      confirm="Seed"
      done={`${story} has been played`}
      missing={isRight ? undefined : `Between 1 and ${LAB_ORDERS_MAX} orders`}
      touches={['Lab', 'Home', 'Order', 'Dispute', 'User', 'Ledger', 'Operation']}
      run={async (reason) => {
        onSeeded(await holdfast.lab.seed({ story, count: isRight ? count : 1 }, { reason }));
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
