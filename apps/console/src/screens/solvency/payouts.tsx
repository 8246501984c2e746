//! Whether payouts are paused, and the action to resume them.
import type { Solvency } from '@holdfast/sdk';
import { Alert, Group, Text } from '@mantine/core';
import { useSession } from '#app/session/session.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';
import { Actor } from '#parts/actor.tsx';
import { Moment } from '#parts/moment.tsx';

interface Props {
  readonly solvency: Solvency;
}

export function Payouts({ solvency: { payoutsPaused, pauseReason, lastResumed } }: Props) {
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
        <Text size="sm">
          {pauseReason ?? 'Two consecutive solvency readings found a breach.'} New withdrawals and
          confirmations are rejected until payouts resume.
        </Text>
        <ResumePayouts />
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

function ResumePayouts() {
  const { holdfast, session } = useSession();
  const mayResume = session.operator.isPlatformAdmin;
  return (
    <ActionButton
      label="Resume payouts"
      roles={['viewer', 'support', 'finance', 'admin']}
      whyNot={mayResume ? undefined : 'Requires a platform admin'}
      title="Resume payouts"
      effect={
        <EffectList
          lines={[
            'Resumes payouts for all marketplaces immediately.',
            'Two more consecutive readings with a breach pause payouts again.',
          ]}
        />
      }
      confirm="Resume payouts"
      isIrreversible
      done="Payouts resumed"
      touches={['Solvency', 'Withdrawal', 'Home']}
      run={(reason) => holdfast.solvency.resumePayouts({ reason }, { reason })}
    />
  );
}
