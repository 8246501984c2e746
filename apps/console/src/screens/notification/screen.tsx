//! One notification: its body, its outcome, and the action to process it again.
import { ANY_ACTING } from '@holdfast/contract/roles';
import type { ProviderNotificationDetail } from '@holdfast/sdk';
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useParam } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { useHoldfast } from '#app/session/session.tsx';
import { ActionButton } from '#parts/action/action-button.tsx';
import { EffectList } from '#parts/action/effect-list.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { RawText } from '#parts/raw-text.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { prettyBody } from '#screens/inbox/pretty-body.ts';
import { spaced } from '#screens/system/lag.ts';

const EVERY_MS = 4_000;

const DECISIONS: Readonly<Record<ProviderNotificationDetail['status'], string>> = {
  PENDING: 'Waiting to be processed.',
  APPLIED: 'Processed.',
  SUPERSEDED:
    'No change: Holdfast had already recorded this status, for example from an earlier copy of the notification.',
  PARKED:
    'Could not be processed automatically. See the reason below, then process the notification again or contact the provider.',
};

export function Screen() {
  const id = useParam('id');
  const notification = useRead(
    'Inbox',
    ['one', id],
    (holdfast, signal) => holdfast.inbox.get(id, { signal }),
    { everyMs: EVERY_MS },
  );
  return <Loaded of={notification}>{(found) => <Shown notification={found} />}</Loaded>;
}

interface Props {
  readonly notification: ProviderNotificationDetail;
}

function Shown({ notification }: Props) {
  const { type, status } = notification;
  return (
    <>
      <ScreenHead
        title={type}
        badge={<StateBadge state={status} />}
        note={DECISIONS[status]}
        actions={<Rerun notification={notification} />}
      />
      <Stack>
        <Panel title="Processing">
          <Facts
            rows={[
              ['Notification ID', <IdLink key="id" id={notification.id} to={null} />],
              ['Provider', spaced(notification.provider)],
              [
                'Provider event ID',
                <IdLink key="theirs" id={notification.providerEventId} to={null} />,
              ],
              ['Record', <IdLink key="about" id={notification.resourceId} />],
              ['Reason not processed', notification.reason],
              ['Attempts', notification.attempts],
              ['Duplicates with different content', notification.contradictions],
              ['Received', <Moment key="received" at={notification.receivedAt} />],
              ['Processed', <Moment key="applied" at={notification.appliedAt} />],
              ['Next attempt', <Moment key="next" at={notification.nextTryAt} />],
              ['Request', <IdLink key="request" id={notification.requestId} to={null} />],
            ]}
          />
        </Panel>
        <Body body={notification.body} />
      </Stack>
    </>
  );
}

function Body({ body }: { readonly body: string }) {
  const [how, setHow] = useState('Formatted');
  return (
    <Panel
      title="Body"
      actions={
        <SegmentedControl
          size="xs"
          data={['Formatted', 'Raw']}
          value={how}
          onChange={setHow}
          aria-label="Body format"
        />
      }
    >
      <Text size="sm" c="dimmed" mb="xs">
        As received from the provider, with personal data masked.
      </Text>
      <RawText text={how === 'Formatted' ? prettyBody(body) : body} label="Notification body" />
    </Panel>
  );
}

function Rerun({ notification: { id, status } }: Props) {
  const holdfast = useHoldfast();
  const isOpen = status === 'PENDING' || status === 'PARKED';
  const label = status === 'PENDING' ? 'Process now' : 'Process again';
  return (
    <ActionButton
      label={label}
      isPrimary
      roles={ANY_ACTING}
      whyNot={isOpen ? undefined : 'The notification has already been processed'}
      title={status === 'PENDING' ? 'Process notification' : 'Process notification again'}
      effect={
        <EffectList
          lines={[
            status === 'PENDING'
              ? 'Processes the notification immediately.'
              : 'Processes the notification again immediately.',
            'The usual checks apply. A status that is already recorded changes nothing.',
          ]}
        />
      }
      confirm={label}
      done="Processing notification"
      touches={['Inbox', 'Home']}
      run={(reason) => holdfast.inbox.rerun(id, { reason }, { reason })}
    />
  );
}
