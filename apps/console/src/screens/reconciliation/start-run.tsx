//! Starting a run.
import { FINANCE } from '@holdfast/contract/roles';
import { RECONCILED } from '@holdfast/contract/words';
import type { Reconciled } from '@holdfast/sdk';
import { Checkbox, Group } from '@mantine/core';
import { useState } from 'react';
import { useGo } from '#app/go.tsx';
import { useHoldfast } from '#app/session.tsx';
import { ActionButton } from '#parts/action-button.tsx';
import { EffectList } from '#parts/effect-list.tsx';
import { wordsOf } from '#parts/state-badge.tsx';

export function StartRun() {
  const holdfast = useHoldfast();
  const go = useGo();
  const [providers, setProviders] = useState<readonly string[]>(RECONCILED);
  return (
    <ActionButton
      label="Start a run"
      isPrimary
      roles={FINANCE}
      title="Start a reconciliation run"
      effect={
        <EffectList
          lines={[
            'Compares every pay-in, pay-out, address and open contract with our books.',
            'Posts nothing: each difference becomes an exception for a person to deal with.',
            'A marketplace has one run at a time.',
          ]}
        />
      }
      confirm="Start"
      missing={providers.length === 0 ? 'Choose what to compare with' : undefined}
      done="The run has begun"
      touches={['Reconciliation']}
      run={async (reason) => {
        const input = { providers: providers as readonly Reconciled[] };
        const { id } = await holdfast.reconciliation.createRun(input, { reason });
        go(`/reconciliation/${id}`);
      }}
    >
      <Checkbox.Group label="Compare with" value={[...providers]} onChange={setProviders}>
        <Group mt="xs">
          {RECONCILED.map((one) => (
            <Checkbox key={one} value={one} label={wordsOf(one)} />
          ))}
        </Group>
      </Checkbox.Group>
    </ActionButton>
  );
}
