//! Whether payouts are paused, and the action to resume them.
import type { Solvency } from '@holdfast/sdk';
import { Alert, Group, Text } from '@mantine/core';
import { useSession } from '#app/session/session.tsx';
import { TwoAdminsAction } from '#parts/action/two-admins-action.tsx';
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

function ResumePayouts({ requestedBy }: { readonly requestedBy: string | undefined }) {
  const { holdfast } = useSession();
  return (
    <TwoAdminsAction
      label="Resume payouts"
      requestLabel="Request to resume payouts"
      requestedBy={requestedBy}
      effect="Resumes payouts for all marketplaces immediately."
      requestEffect="Another platform admin has to confirm before payouts of all marketplaces resume."
      note="Two more consecutive readings with a breach pause payouts again."
      done="Payouts resumed"
      touches={['Solvency', 'Withdrawal', 'Home']}
      run={({ reason, totp }) => holdfast.solvency.resumePayouts({ reason, totp }, { reason })}
    />
  );
}
