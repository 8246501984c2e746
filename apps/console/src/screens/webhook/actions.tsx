//! What can be done with an endpoint: test, replay, pause, resume, rotate its secret, take it out.
import { SECRET_OVERLAP_SECONDS } from '@holdfast/contract/limits';
import { ADMIN, ANY_ACTING } from '@holdfast/contract/roles';
import type { WebhookEndpoint } from '@holdfast/sdk';
import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast } from '#app/session.tsx';
import { ActionButton } from '#parts/action-button.tsx';
import { EffectList } from '#parts/effect-list.tsx';
import { OVERLAPS } from '#parts/overlaps.ts';
import { SecretOnce } from '#parts/secret-once.tsx';

interface Props {
  readonly endpoint: WebhookEndpoint;
}

const OUT = 'The endpoint is out of use';

export function EndpointActions({ endpoint }: Props) {
  return (
    <>
      <SendTest endpoint={endpoint} />
      <ReplaySince endpoint={endpoint} />
      <PauseOrResume endpoint={endpoint} />
      <RotateSecret endpoint={endpoint} />
      <TakeOut endpoint={endpoint} />
    </>
  );
}

function SendTest({ endpoint: { id, url, status } }: Props) {
  const holdfast = useHoldfast();
  return (
    <ActionButton
      label="Test"
      roles={ANY_ACTING}
      whyNot={status === 'DISABLED' ? OUT : undefined}
      title="Send a test message"
      effect={<EffectList lines={[`Sends one signed webhook.test to ${url}. It is no event.`]} />}
      confirm="Send it"
      done="The test is being sent"
      touches={['WebhookEndpoint']}
      run={(reason) => holdfast.webhookEndpoints.sendTest(id, { reason })}
    />
  );
}

function ReplaySince({ endpoint: { id, url, status } }: Props) {
  const holdfast = useHoldfast();
  const [since, setSince] = useState('');
  return (
    <ActionButton
      label="Replay since…"
      roles={ANY_ACTING}
      whyNot={status === 'DISABLED' ? OUT : undefined}
      title="Replay events since a time"
      effect={
        <EffectList
          lines={[
            `Sends what ${url} was sent since ${since === '' ? 'then' : `${since} UTC`} once more, in order.`,
            'Events keep their ids. New events go on being sent meanwhile.',
          ]}
        />
      }
      confirm="Replay"
      missing={since === '' ? 'Choose a time' : undefined}
      done="The replay has begun"
      touches={['WebhookEndpoint']}
      run={(reason) => holdfast.webhookEndpoints.replay(id, { since: `${since}:00Z` }, { reason })}
    >
      <TextInput
        type="datetime-local"
        label="Since (UTC)"
        required
        data-autofocus
        value={since}
        onChange={({ currentTarget }) => setSince(currentTarget.value)}
      />
    </ActionButton>
  );
}

function PauseOrResume({ endpoint: { id, url, status, backlog } }: Props) {
  const holdfast = useHoldfast();
  if (status === 'PAUSED') {
    return (
      <ActionButton
        label="Resume"
        isPrimary
        roles={ADMIN}
        title="Resume the endpoint"
        effect={
          <EffectList lines={[`Sends ${backlog} waiting events to ${url}, in order, at once.`]} />
        }
        confirm="Resume"
        touches={['WebhookEndpoint', 'Home']}
        run={(reason) => holdfast.webhookEndpoints.resume(id, { reason })}
      />
    );
  }
  return (
    <ActionButton
      label="Pause"
      roles={ADMIN}
      whyNot={status === 'DISABLED' ? OUT : undefined}
      title="Pause the endpoint"
      effect={
        <EffectList
          lines={[`Sends nothing to ${url} until it is resumed.`, 'What happens is kept for it.']}
        />
      }
      confirm="Pause"
      touches={['WebhookEndpoint', 'Home']}
      run={(reason) => holdfast.webhookEndpoints.pause(id, { reason }, { reason })}
    />
  );
}

function RotateSecret({ endpoint: { id, status } }: Props) {
  const holdfast = useHoldfast();
  const [overlap, setOverlap] = useState('1 day');
  const [secret, setSecret] = useState<string>();
  const overlapSeconds = OVERLAPS[overlap] ?? SECRET_OVERLAP_SECONDS.default;
  return (
    <>
      <ActionButton
        label="Rotate secret"
        roles={ADMIN}
        whyNot={status === 'DISABLED' ? OUT : undefined}
        title="Rotate the signing secret"
        effect={
          <EffectList
            lines={[
              'Makes a new secret, which signs from now on and is shown once.',
              overlapSeconds === 0
                ? 'The old secret stops signing at once: a receiver that still has it refuses.'
                : `The old secret signs beside it for ${overlap}.`,
            ]}
          />
        }
        confirm="Rotate"
        touches={['WebhookEndpoint']}
        run={async (reason) => {
          const made = await holdfast.webhookEndpoints.rotateSecret(
            id,
            { overlapSeconds },
            { reason },
          );
          setSecret(made.secret);
        }}
      >
        <Select
          label="The old secret signs too for"
          data={Object.keys(OVERLAPS)}
          allowDeselect={false}
          value={overlap}
          onChange={(value) => value !== null && setOverlap(value)}
        />
      </ActionButton>
      <SecretOnce secret={secret} what="New signing secret" close={() => setSecret(undefined)} />
    </>
  );
}

function TakeOut({ endpoint: { id, url, status } }: Props) {
  const holdfast = useHoldfast();
  return (
    <ActionButton
      label="Take out of use"
      roles={ADMIN}
      whyNot={status === 'DISABLED' ? 'It is out of use already' : undefined}
      title="Take the endpoint out of use"
      effect={
        <EffectList
          lines={[`Nothing is sent to ${url} any more.`, 'What was sent stays readable.']}
        />
      }
      confirm="Take it out"
      isIrreversible
      touches={['WebhookEndpoint', 'Home']}
      run={(reason) => holdfast.webhookEndpoints.delete(id, { reason })}
    />
  );
}
