//! What can be done with an operator: other roles, disabled or let in again, a new secret.
import type { Operator } from '@holdfast/sdk';
import { useState } from 'react';
import { useHoldfast, useSession } from '#app/session.tsx';
import type { Tell } from '#parts/secret-once.tsx';
import { MembershipFields, useMarketplaces } from '#screens/operators/membership-fields.tsx';
import { roleChanges, type WantedRole } from '#screens/operators/membership-words.ts';
import { OperatorAction } from '#screens/operators/operator-action.tsx';
import { toldSecret } from '#screens/operators/told-secret.ts';

interface Props {
  readonly operator: Operator;
}

function useIsMe({ operator }: Props): boolean {
  return useSession().session.operator.id === operator.id;
}

export function ChangeRoles({ operator }: Props) {
  const holdfast = useHoldfast();
  const { id, name, memberships } = operator;
  const { names, error } = useMarketplaces(
    memberships.map((one) => ({ id: one.marketplaceId, name: one.marketplaceName })),
  );
  const [wanted, setWanted] = useState<readonly WantedRole[]>();
  const value = wanted ?? memberships.map(({ marketplaceId, role }) => ({ marketplaceId, role }));
  const changes = roleChanges(memberships, value, names);
  const run = async (reason: string, totp: string) => {
    await holdfast.operators.setMemberships(id, { memberships: value, totp }, { reason });
    setWanted(undefined);
  };
  return (
    <OperatorAction
      label="Change roles"
      isSmall
      title={`Change the roles of ${name}`}
      lines={
        changes.length === 0
          ? ['Nothing so far: choose a marketplace or another role.']
          : [
              ...changes,
              'Holds from their next request on; each marketplace has it in its audit log.',
            ]
      }
      confirm="Change"
      done={`The roles of ${name} are changed`}
      missing={changes.length === 0 ? 'Change something' : undefined}
      // One's own roles stand in the session.
      touches={['Operator', 'Session']}
      run={run}
    >
      <MembershipFields names={names} error={error} value={value} change={setWanted} />
    </OperatorAction>
  );
}

export function Disable({ operator }: Props) {
  const holdfast = useHoldfast();
  const isMe = useIsMe({ operator });
  const { id, name } = operator;
  return (
    <OperatorAction
      label="Disable"
      isSmall
      whyNot={isMe ? 'Another platform admin has to: nobody shuts themselves out' : undefined}
      title={`Disable ${name}`}
      lines={[
        'Ends all their sessions at once; they cannot sign in any more.',
        'What they asked for and nobody has decided stays under Approvals and can be rejected there.',
        'API keys that they have seen go on working: rotate those.',
        'You can let them in again.',
      ]}
      confirm="Disable"
      done={`${name} is disabled`}
      run={(reason, totp) =>
        holdfast.operators.setStatus(id, { status: 'DISABLED', totp }, { reason })
      }
    />
  );
}

export function LetIn({ operator }: Props) {
  const holdfast = useHoldfast();
  const { id, name, memberships } = operator;
  const roles = memberships.map(({ marketplaceName, role }) => `${role} in ${marketplaceName}`);
  return (
    <OperatorAction
      label="Let in again"
      isSmall
      title={`Let ${name} in again`}
      lines={[
        'They can sign in again with their password and their codes; old sessions stay ended.',
        roles.length === 0 ? 'They have no role.' : `They are what they were: ${roles.join(', ')}.`,
      ]}
      confirm="Let in"
      done={`${name} can sign in again`}
      run={(reason, totp) =>
        holdfast.operators.setStatus(id, { status: 'ACTIVE', totp }, { reason })
      }
    />
  );
}

export function NewSecret({ operator, tell }: Props & { readonly tell: Tell }) {
  const holdfast = useHoldfast();
  const isMe = useIsMe({ operator });
  const { id, name } = operator;
  return (
    <OperatorAction
      label="New secret for codes"
      isSmall
      whyNot={
        isMe
          ? 'Another platform admin has to: your session would end before you could read it'
          : undefined
      }
      title={`New secret for the codes of ${name}`}
      lines={[
        'Makes a new secret, which is shown once, with the address that a QR code is made of.',
        'Codes of the old one are refused from now on.',
        'Ends all their sessions, and a lock after wrong codes.',
        'Make sure by another way that it is they who ask: whoever has the password and this secret is them.',
      ]}
      isIrreversible
      confirm="Make it"
      done={`${name} has a new secret`}
      run={async (reason, totp) =>
        tell(toldSecret(await holdfast.operators.resetTotp(id, { totp }, { reason })))
      }
    />
  );
}
