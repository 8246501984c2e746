//! The actions on an operator: change roles, disable, enable, reset two-factor authentication.
import type { Operator } from '@holdfast/sdk';
import { useState } from 'react';
import { useHoldfast, useSession } from '#app/session/session.tsx';
import type { ShowSecret } from '#parts/action/secret-once.tsx';
import { issuedSecret } from '#screens/operators/issued-secret.ts';
import { MembershipFields, useMarketplaces } from '#screens/operators/membership-fields.tsx';
import { roleChanges, type WantedRole } from '#screens/operators/membership-words.ts';
import { OperatorAction } from '#screens/operators/operator-action.tsx';

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
    const body = { memberships: value, totp };
    const outcome = await holdfast.operators.setMemberships(id, body, { reason }).outcome();
    setWanted(undefined);
    return outcome;
  };
  return (
    <OperatorAction
      label="Change roles"
      isSmall
      title={`Change roles of ${name}`}
      lines={
        changes.length === 0
          ? ['No changes yet. Choose a marketplace or another role.']
          : [
              ...changes,
              'More rights than before need the approval of another platform admin.',
              'Takes effect with the operator’s next request. Recorded in the audit log of each marketplace.',
            ]
      }
      confirm="Save roles"
      done={`Roles of ${name} changed`}
      missing={changes.length === 0 ? 'No changes' : undefined}
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
      whyNot={isMe ? 'You cannot disable yourself' : undefined}
      title={`Disable ${name}`}
      lines={[
        'Ends all sessions of the operator and blocks sign-in.',
        'Pending requests of the operator stay under Approvals and can be rejected there.',
        'API keys that the operator has seen stay valid. Rotate those keys.',
        'You can enable the operator again.',
      ]}
      confirm="Disable"
      done={`${name} disabled`}
      run={(reason, totp) =>
        holdfast.operators.setStatus(id, { status: 'DISABLED', totp }, { reason }).outcome()
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
      label="Enable"
      isSmall
      title={`Enable ${name}`}
      lines={[
        'Needs the approval of another platform admin.',
        'Allows sign-in again with the existing password and two-factor secret. Earlier sessions are not restored.',
        roles.length === 0 ? 'The operator has no roles.' : `Roles: ${roles.join(', ')}.`,
      ]}
      confirm="Enable"
      done={`${name} enabled`}
      run={(reason, totp) =>
        holdfast.operators.setStatus(id, { status: 'ACTIVE', totp }, { reason }).outcome()
      }
    />
  );
}

export function NewSecret({ operator, showSecret }: Props & { readonly showSecret: ShowSecret }) {
  const holdfast = useHoldfast();
  const isMe = useIsMe({ operator });
  const { id, name } = operator;
  return (
    <OperatorAction
      label="Reset two-factor authentication"
      isSmall
      whyNot={isMe ? 'You cannot reset your own two-factor secret' : undefined}
      title={`Reset two-factor authentication for ${name}`}
      lines={[
        'Creates a new two-factor secret. The secret and its setup link for authenticator apps are shown once.',
        'Codes from the old secret stop working.',
        'Ends all sessions of the operator and unlocks the account if it is locked.',
        'Verify the operator’s identity first: the password and this secret are enough to sign in.',
      ]}
      isIrreversible
      confirm="Reset"
      done={`Two-factor authentication reset for ${name}`}
      run={async (reason, totp) =>
        showSecret(issuedSecret(await holdfast.operators.resetTotp(id, { totp }, { reason })))
      }
    />
  );
}
