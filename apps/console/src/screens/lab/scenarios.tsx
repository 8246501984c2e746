//! Named scenarios: a set of faults, or a day that passes.
import { ADMIN } from '@holdfast/contract/roles';
import type { Lab, LabScenario } from '@holdfast/sdk';
import { Stack } from '@mantine/core';
import { chosen } from '#app/chosen.ts';
import { useHoldfast } from '#app/session/session.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';
import { Panel } from '#parts/panel.tsx';
import { NamedRow } from '#screens/lab/named-row.tsx';

/** The names of the API, in words. */
const TITLES: Readonly<Record<LabScenario, string>> = {
  'lost-replies': 'Lost replies',
  'refused-funding': 'Rejected funding',
  'lost-webhooks': 'Lost webhooks',
  'doubled-webhooks': 'Duplicate webhooks',
  'late-webhooks': 'Reordered webhooks',
  'next-day': 'Next day',
};

interface Props {
  readonly lab: Lab;
  readonly names: readonly LabScenario[];
}

export function Scenarios({ lab: { scenarios }, names }: Props) {
  return (
    <Panel title="Scenarios">
      <Stack gap="xs">
        {scenarios.map(({ name, description }) => {
          const known = chosen(name, names);
          return (
            <NamedRow
              key={name}
              name={known === undefined ? name : TITLES[known]}
              description={description}
              action={known && <RunScenario name={known} description={description} />}
            />
          );
        })}
      </Stack>
    </Panel>
  );
}

function RunScenario({
  name,
  description,
}: {
  readonly name: LabScenario;
  readonly description: string;
}) {
  const holdfast = useHoldfast();
  return (
    <ActionButton
      label="Run"
      isSmall
      roles={ADMIN}
      title={`Run scenario: ${TITLES[name]}`}
      effect={<EffectList lines={[description]} />}
      confirm="Run"
      done={`Scenario started: ${TITLES[name]}`}
      touches={['Lab', 'System', 'Home']}
      run={(reason) => holdfast.lab.runScenario({ name }, { reason })}
    />
  );
}
