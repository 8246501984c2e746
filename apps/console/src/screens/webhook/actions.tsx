//! What can be done with an endpoint: test, replay, change, pause, rotate its secret, take it out.
import { SECRET_OVERLAP_SECONDS } from '@holdfast/contract/limits';
import { ADMIN, ANY_ACTING } from '@holdfast/contract/roles';
import type { WebhookEndpoint } from '@holdfast/sdk';
import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast } from '#app/session.tsx';
import { OVERLAPS } from '#parts/overlaps.ts';
import { useSecretOnce } from '#parts/secret-once.tsx';
import { EditEndpoint } from '#screens/webhook/edit-endpoint.tsx';
import { EndpointAction } from '#screens/webhook/endpoint-action.tsx';

interface Props {
  readonly endpoint: WebhookEndpoint;
}

export function EndpointActions({ endpoint }: Props) {
  return (
    <>
      <SendTest endpoint={endpoint} />
      <ReplaySince endpoint={endpoint} />
      <EditEndpoint endpoint={endpoint} />
      {endpoint.status === 'PAUSED' ? (
        <Resume endpoint={endpoint} />
      ) : (
        <Pause endpoint={endpoint} />
      )}
      <RotateSecret endpoint={endpoint} />
      <TakeOut endpoint={endpoint} />
    </>
  );
}

function SendTest({ endpoint }: Props) {
  const holdfast = useHoldfast();
  return (
    <EndpointAction
      endpoint={endpoint}
      label="Test"
      roles={ANY_ACTING}
      title="Send a test message"
      lines={[`Sends one signed webhook.test to ${endpoint.url}. It is no event.`]}
      confirm="Send it"
      done="The test is being sent: its answer appears among the deliveries"
      run={(reason) => holdfast.webhookEndpoints.sendTest(endpoint.id, { reason })}
    />
  );
}

function ReplaySince({ endpoint }: Props) {
  const holdfast = useHoldfast();
  const [since, setSince] = useState('');
  return (
    <EndpointAction
      endpoint={endpoint}
      label="Replay since…"
      roles={ANY_ACTING}
      title="Replay events since a time"
      lines={[
        `Sends what ${endpoint.url} was sent since ${since === '' ? 'then' : `${since.replace('T', ' ')} UTC`} once more, in order.`,
        'Events keep their ids. New events go on being sent meanwhile.',
      ]}
      confirm="Replay"
      missing={since === '' ? 'Choose a time' : undefined}
      done="The replay has begun"
      run={(reason) =>
        holdfast.webhookEndpoints.replay(endpoint.id, { since: `${since}:00Z` }, { reason })
      }
    >
      <TextInput
        type="datetime-local"
        label="Since (UTC)"
        required
        data-autofocus
        value={since}
        onChange={({ currentTarget }) => setSince(currentTarget.value)}
      />
    </EndpointAction>
  );
}

function Resume({ endpoint }: Props) {
  const holdfast = useHoldfast();
  return (
    <EndpointAction
      endpoint={endpoint}
      label="Resume"
      isPrimary
      roles={ADMIN}
      title="Resume the endpoint"
      lines={[
        `Sends what waits to ${endpoint.url}, in order, at once: ${endpoint.backlog} so far.`,
      ]}
      confirm="Resume"
      done="The endpoint is sent events again"
      run={(reason) => holdfast.webhookEndpoints.resume(endpoint.id, { reason })}
    />
  );
}

function Pause({ endpoint }: Props) {
  const holdfast = useHoldfast();
  return (
    <EndpointAction
      endpoint={endpoint}
      label="Pause"
      roles={ADMIN}
      title="Pause the endpoint"
      lines={[
        `Sends nothing to ${endpoint.url} until it is resumed.`,
        'What happens meanwhile is kept for it.',
      ]}
      confirm="Pause"
      done="The endpoint is paused"
      run={(reason) => holdfast.webhookEndpoints.pause(endpoint.id, { reason }, { reason })}
    />
  );
}

function RotateSecret({ endpoint }: Props) {
  const holdfast = useHoldfast();
  const [overlap, setOverlap] = useState('1 day');
  const { tell, shown } = useSecretOnce();
  const overlapSeconds = OVERLAPS[overlap] ?? SECRET_OVERLAP_SECONDS.default;
  const rotate = async (reason: string) => {
    const input = { overlapSeconds };
    const made = await holdfast.webhookEndpoints.rotateSecret(endpoint.id, input, { reason });
    tell({
      what: 'New signing secret',
      secret: made.secret,
      ifLost: 'Rotate the secret once more.',
    });
  };
  return (
    <>
      <EndpointAction
        endpoint={endpoint}
        label="Rotate secret"
        roles={ADMIN}
        title="Rotate the signing secret"
        lines={[
          'Makes a new secret, which signs from now on and is shown once.',
          overlapSeconds === 0
            ? 'The old secret stops signing at once: a receiver that still has it refuses.'
            : `The old secret signs beside it for ${overlap}.`,
        ]}
        confirm="Rotate"
        done="The secret is rotated"
        run={rotate}
      >
        <Select
          label="The old secret signs too for"
          data={Object.keys(OVERLAPS)}
          allowDeselect={false}
          value={overlap}
          onChange={(value) => value !== null && setOverlap(value)}
        />
      </EndpointAction>
      {shown}
    </>
  );
}

function TakeOut({ endpoint }: Props) {
  const holdfast = useHoldfast();
  return (
    <EndpointAction
      endpoint={endpoint}
      label="Take out of use"
      roles={ADMIN}
      title="Take the endpoint out of use"
      lines={[`Nothing is sent to ${endpoint.url} any more.`, 'What was sent stays readable.']}
      confirm="Take it out"
      isIrreversible
      done="The endpoint is out of use"
      run={(reason) => holdfast.webhookEndpoints.delete(endpoint.id, { reason })}
    />
  );
}
