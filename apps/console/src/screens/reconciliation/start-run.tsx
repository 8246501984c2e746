//! Starts a reconciliation run.

import { RECONCILED } from '@holdfast/contract/enums';
import { FINANCE } from '@holdfast/contract/roles';
import type { Reconciled } from '@holdfast/sdk';
import { Checkbox, Group } from '@mantine/core';
import { useState } from 'react';
import { useGo } from '#app/go.tsx';
import { useHoldfast } from '#app/session/session.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';
import { wordsOf } from '#parts/state-badge.tsx';

const COMPARES: Readonly<Record<Reconciled, string>> = {
  payment_provider:
    'Compares recent pay-ins and payouts (35 days by default) at the payment provider with the books.',
  ledger_network: 'Compares all addresses and open contracts on the blockchain with the books.',
};

export function StartRun() {
  const holdfast = useHoldfast();
  const go = useGo();
  const [providers, setProviders] = useState<readonly string[]>(RECONCILED);
  return (
    <ActionButton
      label="Start run"
      isPrimary
      roles={FINANCE}
      title="Start reconciliation run"
      effect={
        <EffectList
          lines={[
            ...RECONCILED.filter((one) => providers.includes(one)).map((one) => COMPARES[one]),
            'Posts nothing. Each difference becomes an exception to review.',
            'A marketplace can have only one run in progress.',
          ]}
        />
      }
      confirm="Start run"
      missing={providers.length === 0 ? 'Choose at least one source' : undefined}
      done="Run started"
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
