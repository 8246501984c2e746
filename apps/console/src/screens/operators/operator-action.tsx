//! An action of a platform admin on operators: it needs a fresh code of the admin each time.
import { EVERY_ROLE } from '@holdfast/contract/roles';
import { type ComponentProps, useState } from 'react';
import { CodeField, missingCode } from '#app/session/code-field.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';

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
      approvalsPath="/approvals?log=platform&"
      run={async (reason) => {
        try {
          return await run(reason, totp);
        } finally {
          // An accepted code is used up. A refused one may expire before the form is corrected.
          setTotp('');
        }
      }}
    >
      {children}
      <CodeField value={totp} change={setTotp} />
    </ActionButton>
  );
}
