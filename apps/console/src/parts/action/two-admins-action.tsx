//! An action of two platform admins: the first requests it, another one confirms and it is done.
import { EVERY_ROLE } from '@holdfast/contract/roles';
import { useState } from 'react';
import type { Topic } from '#app/queries.ts';
import { CodeField, missingCode } from '#app/session/code-field.tsx';
import { useSession } from '#app/session/session.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';

interface Props {
  readonly label: string;
  readonly requestLabel: string;
  /** Undefined without a request. */
  readonly requestedBy: string | undefined;
  /** Why neither can be done now; undefined when they can. */
  readonly whyNot?: string | undefined;
  readonly effect: string;
  readonly requestEffect: string;
  /** What both have to know. */
  readonly note: string;
  readonly done: string;
  readonly touches: readonly Topic[];
  readonly run: (input: { readonly reason: string; readonly totp: string }) => Promise<unknown>;
}

export function TwoAdminsAction(props: Props) {
  const { label, requestLabel, requestedBy, effect, requestEffect, note, done, touches } = props;
  const [totp, setTotp] = useState('');
  const whyNot = useWhyNot(props);
  const isRequest = requestedBy === undefined;
  const shown = isRequest ? requestLabel : label;
  return (
    <ActionButton
      label={shown}
      roles={EVERY_ROLE}
      whyNot={whyNot}
      title={label}
      effect={<EffectList lines={[isRequest ? requestEffect : effect, note]} />}
      confirm={shown}
      isIrreversible={!isRequest}
      done={isRequest ? 'Request recorded' : done}
      touches={touches}
      missing={missingCode(totp)}
      run={async (reason) => {
        try {
          return await props.run({ reason, totp });
        } finally {
          setTotp('');
        }
      }}
    >
      <CodeField value={totp} change={setTotp} />
    </ActionButton>
  );
}

function useWhyNot({ requestedBy, whyNot }: Props): string | undefined {
  const { id, isPlatformAdmin } = useSession().session.operator;
  if (!isPlatformAdmin) return 'Requires a platform admin';
  if (whyNot !== undefined) return whyNot;
  return requestedBy === id ? 'Another platform admin has to confirm your request' : undefined;
}
