//! The timeline of an order, oldest first: calls, people, money, the network, webhooks.
import type { TimelineItem } from '@holdfast/sdk';
import { Button, Code, Collapse, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRead } from '#app/read.ts';
import { Actor } from '#parts/actor.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { RequestLink } from '#parts/request-link.tsx';
import { wordsOf } from '#parts/state-badge.tsx';
import { plainWords } from '#parts/words/plain-words.ts';

const ITEMS_MAX = 300;

const KINDS: Readonly<Record<TimelineItem['kind'], string>> = {
  api_call: 'API call',
  person: 'Manual action',
  webhook: 'Provider notification',
  provider_call: 'Provider call',
  ledger_transaction: 'Blockchain transaction',
  posting: 'Ledger entry',
  state: 'Status change',
};

export function Timeline({ orderId }: { readonly orderId: string }) {
  const reading = useRead('Order', [orderId, 'timeline'], (holdfast, signal) =>
    holdfast.orders.timeline(orderId, { limit: 100 }, { signal }).toArray(ITEMS_MAX),
  );
  const notificationPath = useNotifications(orderId);
  return (
    <Loaded of={reading}>
      {(items) =>
        items.length === 0 ? (
          <EmptyState title="No timeline entries yet">Reload the page in a moment.</EmptyState>
        ) : (
          <Stack component="ol" gap={0} className="hf-timeline">
            {items.map((item, index) => (
              <Item
                // Items have no id; the timeline only grows at its end, so an index is stable.
                // biome-ignore lint/suspicious/noArrayIndexKey: see above.
                key={`${item.at}${item.kind}${index}`}
                item={item}
                notificationPath={notificationPath}
              />
            ))}
            {items.length === ITEMS_MAX && (
              <Text size="sm" c="dimmed" component="li">
                Showing the first {ITEMS_MAX} entries. For up to 1,000 entries, ask an engineer to
                run <code>holdfast explain {orderId}</code>.
              </Text>
            )}
          </Stack>
        )
      }
    </Loaded>
  );
}

function Item({ item, notificationPath }: CausesProps) {
  const [isOpen, { toggle }] = useDisclosure();
  const hasDetail = Object.keys(item.detail).length > 0;
  return (
    <li data-kind={item.kind}>
      <Text size="xs" c="dimmed" className="hf-timeline-kind">
        {KINDS[item.kind] ?? wordsOf(item.kind)}
      </Text>
      <div className="hf-timeline-what">
        <Text size="sm" className="hf-text">
          {plainWords(item.title)}
        </Text>
        <Causes item={item} notificationPath={notificationPath} />
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
  readonly notificationPath: NotificationPath;
}

function Causes({ item: { at, cause }, notificationPath }: CausesProps) {
  const { requestId, operationId, actorId, webhookId } = cause;
  const causes = [
    requestId !== undefined && <RequestLink key="request" id={requestId} isBare />,
    operationId !== undefined && <IdLink key="operation" id={operationId} isBare />,
    actorId !== undefined && <Actor key="actor" id={actorId} isBare />,
    webhookId !== undefined && (
      <IdLink key="notification" id={webhookId} to={notificationPath(webhookId)} isBare />
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

/** The path of a notification by the provider's id for it. */
type NotificationPath = (webhookId: string) => string;

/** The timeline has the provider's ids of notifications; the inbox has our own ids for them. */
function useNotifications(orderId: string): NotificationPath {
  const { data } = useRead('Inbox', ['of', orderId], (holdfast, signal) =>
    holdfast.inbox.list({ resourceId: orderId, limit: 100 }, { signal }).toArray(ITEMS_MAX),
  );
  return (webhookId) => {
    const notification = data?.find(({ providerEventId }) => providerEventId === webhookId);
    return notification === undefined
      ? `/inbox?resourceId=${orderId}`
      : `/inbox/${notification.id}`;
  };
}
