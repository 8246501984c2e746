//! The clock of the sandbox, which the service in development follows.
import { ADMIN } from '@holdfast/contract/roles';
import type { Lab } from '@holdfast/sdk';
import { Group, NumberInput, Select } from '@mantine/core';
import { useState } from 'react';
import { setClock } from '#app/now.ts';
import { useHoldfast } from '#app/session/session.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';
import { Facts } from '#parts/facts.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { secondsOf, UNITS } from '#screens/lab/advance.ts';
import { durationWords } from '#screens/system/lag.ts';

export function Clock({ lab: { now, offsetSeconds } }: { readonly lab: Lab }) {
  const holdfast = useHoldfast();
  const [count, setCount] = useState<number | string>(1);
  const [unit, setUnit] = useState('days');
  const seconds = secondsOf(count, unit);
  const words = seconds === undefined ? 'the selected time' : durationWords(seconds);
  return (
    <Panel
      title="Clock"
      actions={
        <ActionButton
          label="Advance clock"
          isPrimary
          isSmall
          roles={ADMIN}
          title="Advance clock"
          effect={
            <EffectList
              lines={[
                `Moves the sandbox and Holdfast clocks forward by ${words}.`,
                'Deadlines, expiries and retries within that time become due immediately.',
              ]}
            />
          }
          confirm="Advance clock"
          isIrreversible
          done={`Clock advanced by ${words}`}
          missing={seconds === undefined ? 'Enter a time of up to one year' : undefined}
          touches={['Lab', 'System', 'Home', 'Order', 'Operation']}
          run={async (reason) => {
            const lab = await holdfast.lab.advanceClock({ seconds: seconds ?? 0 }, { reason });
            setClock(lab.now);
          }}
        >
          <Group grow align="flex-end">
            <NumberInput
              label="Advance by"
              min={1}
              allowDecimal={false}
              data-autofocus
              value={count}
              onChange={setCount}
            />
            <Select
              label="Unit"
              data={Object.keys(UNITS)}
              allowDeselect={false}
              value={unit}
              onChange={(value) => value !== null && setUnit(value)}
            />
          </Group>
        </ActionButton>
      }
    >
      <Facts
        rows={[
          ['Sandbox time', <Moment key="now" at={now} />],
          ['Ahead of real time', durationWords(Math.max(0, offsetSeconds))],
        ]}
      />
    </Panel>
  );
}
