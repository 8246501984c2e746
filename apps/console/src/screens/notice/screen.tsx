//! One notice: as it came, what was decided, and having it applied again.
import { ANY_ACTING } from '@holdfast/contract/roles';
import type { ProviderNoticeDetail } from '@holdfast/sdk';
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useParam } from '#app/go.tsx';
import { useRead } from '#app/read.ts';
import { useHoldfast } from '#app/session.tsx';
import { ActionButton } from '#parts/action-button.tsx';
import { EffectList } from '#parts/effect-list.tsx';
import { Facts } from '#parts/facts.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { Panel } from '#parts/panel.tsx';
import { RawText } from '#parts/raw-text.tsx';
import { ScreenHead } from '#parts/screen-head.tsx';
import { StateBadge } from '#parts/state-badge.tsx';
import { prettyBody } from '#screens/inbox/pretty-body.ts';

const EVERY_MS = 4_000;

const DECISIONS: Readonly<Record<ProviderNoticeDetail['status'], string>> = {
  PENDING: 'It waits to be applied.',
  APPLIED: 'It was applied.',
  SUPERSEDED: 'What it tells was so already, as with a duplicate.',
  PARKED: 'It fits nothing that we know; a person should look.',
};

export function Screen() {
  const id = useParam('id');
  const notice = useRead(
    'Inbox',
    ['one', id],
    (holdfast, signal) => holdfast.inbox.get(id, { signal }),
    { everyMs: EVERY_MS },
  );
  return <Loaded of={notice}>{(found) => <Shown notice={found} />}</Loaded>;
}

interface Props {
  readonly notice: ProviderNoticeDetail;
}

function Shown({ notice }: Props) {
  const { type, status } = notice;
  return (
    <>
      <ScreenHead
        title={type}
        badge={<StateBadge state={status} />}
        note={DECISIONS[status]}
        actions={<Rerun notice={notice} />}
      />
      <Stack>
        <Panel title="Decision">
          <Facts
            rows={[
              ['Notice', <IdLink key="id" id={notice.id} to={null} />],
              ['Provider', notice.provider],
              ["The provider's id", <IdLink key="theirs" id={notice.providerEventId} to={null} />],
              ['About', <IdLink key="about" id={notice.resourceId} />],
              ['Why', notice.reason],
              ['Attempts', notice.attempts],
              ['Came again with another body', notice.contradictions],
              ['Received', <Moment key="received" at={notice.receivedAt} />],
              ['Applied', <Moment key="applied" at={notice.appliedAt} />],
              ['Next try', <Moment key="next" at={notice.nextTryAt} />],
              ['Request', <IdLink key="request" id={notice.requestId} to={null} />],
            ]}
          />
        </Panel>
        <Body body={notice.body} />
      </Stack>
    </>
  );
}

function Body({ body }: { readonly body: string }) {
  const [how, setHow] = useState('Indented');
  return (
    <Panel
      title="Body"
      actions={
        <SegmentedControl
          size="xs"
          data={['Indented', 'As it came']}
          value={how}
          onChange={setHow}
          aria-label="How the body is shown"
        />
      }
    >
      <Text size="sm" c="dimmed" mb="xs">
        As the provider sent it, with personal data masked.
      </Text>
      <RawText text={how === 'Indented' ? prettyBody(body) : body} label="Body of the notice" />
    </Panel>
  );
}

function Rerun({ notice: { id, status } }: Props) {
  const holdfast = useHoldfast();
  const isOpen = status === 'PENDING' || status === 'PARKED';
  return (
    <ActionButton
      label="Apply again"
      isPrimary
      roles={ANY_ACTING}
      whyNot={isOpen ? undefined : 'It was applied: there is nothing to repeat'}
      title="Apply the notice again"
      effect={
        <EffectList
          lines={[
            'The worker applies the notice once more, at once.',
            'What it tells is checked as always; what was so already changes nothing.',
          ]}
        />
      }
      confirm="Apply again"
      done="The notice is being applied"
      touches={['Inbox', 'Home']}
      run={(reason) => holdfast.inbox.rerun(id, { reason }, { reason })}
    />
  );
}
