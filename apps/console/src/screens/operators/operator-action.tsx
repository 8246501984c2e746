//! An action of a platform admin on operators: with a fresh code of whoever asks, each time.
import { EVERY_ROLE } from '@holdfast/contract/roles';
import { type ComponentProps, useState } from 'react';
import { CodeField, missingCode } from '#app/code-field.tsx';
import { ActionButton } from '#parts/action-button.tsx';
import { EffectList } from '#parts/effect-list.tsx';

type Action = Omit<ComponentProps<typeof ActionButton>, 'effect' | 'roles' | 'run'>;

interface Props extends Action {
  /** What it does, one sentence after the other. */
  readonly lines: readonly string[];
  readonly run: (reason: string, totp: string) => Promise<unknown>;
}

export function OperatorAction({ lines, run, missing, touches, children, ...action }: Props) {
  const [totp, setTotp] = useState('');
  return (
    <ActionButton
      {...action}
      // Roles are about a marketplace, and this is about none.
      roles={EVERY_ROLE}
      effect={<EffectList lines={lines} />}
      missing={missing ?? missingCode(totp)}
      touches={touches ?? ['Operator']}
      run={async (reason) => {
        try {
          await run(reason, totp);
        } finally {
          // Taken, it is used up. Refused, it may still hold, but not for as long as mending takes.
          setTotp('');
        }
      }}
    >
      {children}
      <CodeField value={totp} change={setTotp} />
    </ActionButton>
  );
}
