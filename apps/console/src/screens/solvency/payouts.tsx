//! Whether payouts go out, and letting them go out again.
import type { Solvency } from '@holdfast/sdk';
import { Alert, Group, Text } from '@mantine/core';
import { useSession } from '#app/session.tsx';
import { ActionButton } from '#parts/action-button.tsx';
import { Actor } from '#parts/actor.tsx';
import { EffectList } from '#parts/effect-list.tsx';
import { Moment } from '#parts/moment.tsx';

interface Props {
  readonly solvency: Solvency;
}

export function Payouts({ solvency: { payoutsPaused, pauseReason, lastResumed } }: Props) {
  if (!payoutsPaused) {
    return (
      <Alert variant="outline" color="teal" title="Payouts go out" role="status">
        They pause by themselves when two readings in a row show a breach.
        {lastResumed !== null && <LastResumed resumed={lastResumed} />}
      </Alert>
    );
  }
  return (
    <Alert variant="outline" color="red" title="Payouts are paused" role="status">
      <Group justify="space-between">
        <Text size="sm">
          {pauseReason ?? 'What is there and what is owed differed in two readings in a row.'}{' '}
          Withdrawals answer PAYOUTS_PAUSED.
        </Text>
        <ResumePayouts />
      </Group>
    </Alert>
  );
}

/** Only who may lift a pause is told how the last one ended. */
function LastResumed({ resumed }: { readonly resumed: NonNullable<Solvency['lastResumed']> }) {
  const { operator } = useSession().session;
  const { resumedBy, resumedAt, reason } = resumed;
  return (
    <Text size="sm" mt={4}>
      The last pause was lifted <Moment at={resumedAt} /> by{' '}
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
      whyNot={mayResume ? undefined : 'Only a platform admin may: it is about every marketplace'}
      title="Resume payouts"
      effect={
        <EffectList
          lines={[
            'Withdrawals of every marketplace go out again at once.',
            'The next two readings that show a breach pause them again.',
          ]}
        />
      }
      confirm="Resume payouts"
      isIrreversible
      done="Payouts go out again"
      touches={['Solvency', 'Withdrawal', 'Home']}
      run={(reason) => holdfast.solvency.resumePayouts({ reason }, { reason })}
    />
  );
}
