//! The actions on an operator: activate, change roles, disable, enable, reset.
import type { Operator } from '@holdfast/sdk';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast, useSession } from '#app/session/session.tsx';
import type { ShowSecret } from '#parts/action/secret-once.tsx';
import { roleChanges, type WantedRole } from '#parts/words/membership-words.ts';
import { issuedLink } from '#screens/operators/issued-link.ts';
import { MembershipFields, useMarketplaces } from '#screens/operators/membership-fields.tsx';
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
              `More rights than before need the approval of another platform admin. For 24 hours after that, ${name} cannot approve anything.`,
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
        'API keys that the operator requested end. Other keys that the operator has seen stay valid: rotate those.',
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

const CODE = /^[0-9a-z]{4}[- ]?[0-9a-z]{4}$/i;

export function Activate({ operator }: Props) {
  const holdfast = useHoldfast();
  const me = useSession().session.operator.id;
  const [code, setCode] = useState('');
  const { id, name, invitedBy } = operator;
  const run = async (reason: string, totp: string) => {
    await holdfast.operators.activate(id, { code: code.trim(), totp }, { reason });
    setCode('');
  };
  return (
    <OperatorAction
      label="Activate"
      isSmall
      isPrimary
      whyNot={
        invitedBy === me
          ? 'You invited or reset this operator: another platform admin has to activate them'
          : undefined
      }
      title={`Activate ${name}`}
      lines={[
        `Lets ${name} sign in. For 24 hours, ${name} cannot approve anything.`,
        `Ask ${name} for the confirmation code, in person or in a call in which you recognize them. Do not accept it from anyone else.`,
        'After 5 wrong codes a reset and a new link are needed.',
      ]}
      confirm="Activate"
      done={`${name} activated`}
      missing={CODE.test(code.trim()) ? undefined : 'Enter the confirmation code'}
      run={run}
    >
      <TextInput
        label="Confirmation code"
        description={`8 letters and digits, which ${name} saw after setting up the account`}
        required
        data-autofocus
        autoComplete="off"
        maxLength={12}
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
    </OperatorAction>
  );
}

export function Reset({ operator, showSecret }: Props & { readonly showSecret: ShowSecret }) {
  const holdfast = useHoldfast();
  const isMe = useIsMe({ operator });
  const { id, name } = operator;
  return (
    <OperatorAction
      label="Reset"
      isSmall
      whyNot={isMe ? 'You cannot reset your own account' : undefined}
      title={`Reset ${name}`}
      lines={[
        'For a lost phone, a forgotten password, or a link that was lost.',
        'Deletes the password and the two-factor secret, and ends all sessions and the API keys that the operator requested.',
        'Creates a new link, which is shown once. Earlier links stop working.',
        `After ${name} has set up the account again, another platform admin has to activate it.`,
      ]}
      isIrreversible
      confirm="Reset"
      done={`${name} reset`}
      run={async (reason, totp) =>
        showSecret(issuedLink(await holdfast.operators.reset(id, { totp }, { reason })))
      }
    />
  );
}
