//! The story of an order, oldest first: calls, people, money, the network, webhooks.
import type { TimelineItem } from '@holdfast/sdk';
import { Button, Code, Collapse, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRead } from '#app/read.ts';
import { Actor } from '#parts/actor.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { plainWords } from '#parts/plain-words.ts';
import { RequestLink } from '#parts/request-link.tsx';
import { wordsOf } from '#parts/state-badge.tsx';

const ITEMS_MAX = 300;

export function Timeline({ orderId }: { readonly orderId: string }) {
  const reading = useRead('Order', [orderId, 'timeline'], (holdfast, signal) =>
    holdfast.orders.timeline(orderId, { limit: 100 }, { signal }).toArray(ITEMS_MAX),
  );
  const noticeAt = useNotices(orderId);
  return (
    <Loaded of={reading}>
      {(items) =>
        items.length === 0 ? (
          <EmptyState title="Nothing is known yet">Reload in a moment.</EmptyState>
        ) : (
          <Stack component="ol" gap={0} className="hf-story">
            {items.map((item, index) => (
              // The story only grows at its end: a place is an identity.
              // biome-ignore lint/suspicious/noArrayIndexKey: items have no id of their own.
              <Item key={`${item.at}${item.kind}${index}`} item={item} noticeAt={noticeAt} />
            ))}
            {items.length === ITEMS_MAX && (
              <Text size="sm" c="dimmed" component="li">
                The first {ITEMS_MAX} are shown. `holdfast explain {orderId}` tells all.
              </Text>
            )}
          </Stack>
        )
      }
    </Loaded>
  );
}

function Item({ item, noticeAt }: CausesProps) {
  const [isOpen, { toggle }] = useDisclosure();
  const hasDetail = Object.keys(item.detail).length > 0;
  return (
    <li data-kind={item.kind}>
      <Text size="xs" c="dimmed" className="hf-story-kind">
        {wordsOf(item.kind).replace(/^Api/, 'API')}
      </Text>
      <div className="hf-story-what">
        <Text size="sm" className="hf-text">
          {plainWords(item.title)}
        </Text>
        <Causes item={item} noticeAt={noticeAt} />
        {hasDetail && (
          <Collapse expanded={isOpen}>
            <Code block className="hf-text" mt={6}>
              {JSON.stringify(item.detail, null, 2)}
            </Code>
          </Collapse>
        )}
      </div>
      {hasDetail && (
        <Button size="compact-xs" variant="subtle" onClick={toggle} aria-expanded={isOpen}>
          Details
          <VisuallyHidden component="span"> of {plainWords(item.title)}</VisuallyHidden>
        </Button>
      )}
    </li>
  );
}

interface CausesProps {
  readonly item: TimelineItem;
  readonly noticeAt: NoticeAt;
}

function Causes({ item: { at, cause }, noticeAt }: CausesProps) {
  const { requestId, operationId, actorId, webhookId } = cause;
  const causes = [
    requestId !== undefined && <RequestLink key="request" id={requestId} isBare />,
    operationId !== undefined && <IdLink key="operation" id={operationId} isBare />,
    actorId !== undefined && <Actor key="actor" id={actorId} isBare />,
    webhookId !== undefined && (
      <IdLink key="notice" id={webhookId} to={noticeAt(webhookId)} isBare />
    ),
  ].filter((one) => one !== false);
  return (
    <Text size="xs" c="dimmed" component="div" className="hf-prose">
      <Moment at={at} />
      {causes.map((one) => (
        <span key={one.key}>
          {' · '}
          {one}
        </span>
      ))}
    </Text>
  );
}

/** Where the notice is shown that a provider calls so. */
type NoticeAt = (webhookId: string) => string;

/** The story names notices as their provider does; our own ids of them stand in the inbox. */
function useNotices(orderId: string): NoticeAt {
  const { data } = useRead('Inbox', ['of', orderId], (holdfast, signal) =>
    holdfast.inbox.list({ resourceId: orderId, limit: 100 }, { signal }).toArray(ITEMS_MAX),
  );
  return (webhookId) => {
    const notice = data?.find(({ providerEventId }) => providerEventId === webhookId);
    return notice === undefined ? `/inbox?resourceId=${orderId}` : `/inbox/${notice.id}`;
  };
}
