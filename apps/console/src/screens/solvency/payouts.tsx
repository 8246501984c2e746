//! Whether payouts are paused, and the action to resume them.
import { EVERY_ROLE } from '@holdfast/contract/roles';
import type { Solvency } from '@holdfast/sdk';
import { Alert, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { CodeField, missingCode } from '#app/session/code-field.tsx';
import { useSession } from '#app/session/session.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';
import { Actor } from '#parts/actor.tsx';
import { Moment } from '#parts/moment.tsx';

interface Props {
  readonly solvency: Solvency;
}

export function Payouts({ solvency }: Props) {
  const { payoutsPaused, pauseReason, lastResumed, resumeRequested } = solvency;
  if (!payoutsPaused) {
    return (
      <Alert variant="outline" color="teal" title="Payouts active" role="status">
        Payouts pause automatically after two consecutive readings with a breach.
        {lastResumed !== null && <LastResumed resumed={lastResumed} />}
      </Alert>
    );
  }
  return (
    <Alert variant="outline" color="red" title="Payouts paused" role="status">
      <Group justify="space-between">
        <div>
          <Text size="sm">
            Reason: {pauseReason ?? 'two consecutive solvency readings found a breach.'}
          </Text>
          <Text size="sm">
            New withdrawals and confirmations are rejected until payouts resume.
          </Text>
          {resumeRequested !== null && (
            <Text size="sm" mt={4}>
              <Actor id={resumeRequested.requestedBy} /> requested to resume:{' '}
              {resumeRequested.reason}
            </Text>
          )}
        </div>
        <ResumePayouts requestedBy={resumeRequested?.requestedBy} />
      </Group>
    </Alert>
  );
}

/** Only roles that may lift a pause see how the last one ended. */
function LastResumed({ resumed }: { readonly resumed: NonNullable<Solvency['lastResumed']> }) {
  const { operator } = useSession().session;
  const { resumedBy, resumedAt, reason } = resumed;
  return (
    <Text size="sm" mt={4}>
      Last resumed <Moment at={resumedAt} /> by{' '}
      {resumedBy === operator.id ? 'you' : <Actor id={resumedBy} />}: {reason}
    </Text>
  );
}

/** It takes two platform admins: the first requests it. */
function ResumePayouts({ requestedBy }: { readonly requestedBy: string | undefined }) {
  const { holdfast, session } = useSession();
  const { id, isPlatformAdmin } = session.operator;
  const [totp, setTotp] = useState('');
  const isRequest = requestedBy === undefined;
  const whyNot =
    requestedBy === id ? 'Another platform admin has to confirm your request' : undefined;
  return (
    <ActionButton
      label={isRequest ? 'Request to resume payouts' : 'Resume payouts'}
      roles={EVERY_ROLE}
      whyNot={isPlatformAdmin ? whyNot : 'Requires a platform admin'}
      title="Resume payouts"
      effect={
        <EffectList
          lines={[
            isRequest
              ? 'Another platform admin has to confirm before payouts of all marketplaces resume.'
              : 'Resumes payouts for all marketplaces immediately.',
            'Two more consecutive readings with a breach pause payouts again.',
          ]}
        />
      }
      confirm={isRequest ? 'Request to resume' : 'Resume payouts'}
      isIrreversible={!isRequest}
      done={isRequest ? 'Request recorded' : 'Payouts resumed'}
      touches={['Solvency', 'Withdrawal', 'Home']}
      missing={missingCode(totp)}
      run={async (reason) => {
        try {
          return await holdfast.solvency.resumePayouts({ reason, totp }, { reason });
        } finally {
          setTotp('');
        }
      }}
    >
      <CodeField value={totp} change={setTotp} />
    </ActionButton>
  );
}
