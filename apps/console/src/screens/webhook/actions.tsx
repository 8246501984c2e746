//! The actions on an endpoint: test, replay, change, pause, rotate its secret, disable.
import { SECRET_OVERLAP_SECONDS } from '@holdfast/contract/limits';
import { ADMIN, ANY_ACTING } from '@holdfast/contract/roles';
import type { WebhookEndpoint } from '@holdfast/sdk';
import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useHoldfast } from '#app/session/session.tsx';
import { useSecretOnce } from '#parts/action/secret-once.tsx';
import { OVERLAPS } from '#parts/chart/overlaps.ts';
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
      label="Send test message"
      roles={ANY_ACTING}
      title="Send test message"
      lines={[`Sends one signed webhook.test message to ${endpoint.url}. No event is created.`]}
      confirm="Send test message"
      done="Test sent. The response appears under Deliveries."
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
      label="Replay events…"
      roles={ANY_ACTING}
      title="Replay events"
      lines={[
        `Resends all events since ${since === '' ? 'the selected time' : `${since.replace('T', ' ')} UTC`} to ${endpoint.url}, in order.`,
        'Events keep their IDs. New events continue to be sent.',
      ]}
      confirm="Replay events"
      missing={since === '' ? 'Choose a time' : undefined}
      done="Replay started"
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
      title="Resume endpoint"
      lines={[
        `Starts sending the pending events (${endpoint.backlog}) to ${endpoint.url} immediately, in order.`,
      ]}
      confirm="Resume"
      done="Endpoint resumed"
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
      title="Pause endpoint"
      lines={[
        `Stops sending to ${endpoint.url} until the endpoint is resumed.`,
        'New events are queued for the endpoint.',
      ]}
      confirm="Pause"
      done="Endpoint paused"
      run={(reason) => holdfast.webhookEndpoints.pause(endpoint.id, { reason }, { reason })}
    />
  );
}

function RotateSecret({ endpoint }: Props) {
  const holdfast = useHoldfast();
  const [overlap, setOverlap] = useState('1 day');
  const { showSecret, shown } = useSecretOnce();
  const overlapSeconds = OVERLAPS[overlap] ?? SECRET_OVERLAP_SECONDS.default;
  const rotate = async (reason: string) => {
    const input = { overlapSeconds };
    const created = await holdfast.webhookEndpoints.rotateSecret(endpoint.id, input, { reason });
    showSecret({
      what: 'New signing secret',
      secret: created.secret,
      ifLost: 'Rotate the secret again.',
    });
  };
  return (
    <>
      <EndpointAction
        endpoint={endpoint}
        label="Rotate secret"
        roles={ADMIN}
        title="Rotate signing secret"
        lines={[
          'Creates a new signing secret. The secret is shown once.',
          overlapSeconds === 0
            ? 'The old secret stops working immediately: receivers that still use it reject events.'
            : `Events are signed with both secrets for ${overlap}.`,
        ]}
        confirm="Rotate"
        done="Signing secret rotated"
        run={rotate}
      >
        <Select
          label="Old secret valid for"
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
      label="Disable permanently"
      roles={ADMIN}
      title="Disable endpoint"
      lines={[`Stops all events to ${endpoint.url}.`, 'Past deliveries stay visible.']}
      confirm="Disable permanently"
      isIrreversible
      done="Endpoint disabled"
      run={(reason) => holdfast.webhookEndpoints.delete(endpoint.id, { reason })}
    />
  );
}
