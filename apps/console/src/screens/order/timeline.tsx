//! The story of an order, oldest first: calls, people, money, the network, webhooks.
import type { TimelineItem } from '@holdfast/sdk';
import { Button, Code, Collapse, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRead } from '#app/read.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
import { plainWords } from '#parts/plain-words.ts';
import { wordsOf } from '#parts/state-badge.tsx';

const ITEMS_MAX = 300;

export function Timeline({ orderId }: { readonly orderId: string }) {
  const reading = useRead('Order', [orderId, 'timeline'], (holdfast, signal) =>
    holdfast.orders.timeline(orderId, { limit: 100 }, { signal }).toArray(ITEMS_MAX),
  );
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
              <Item key={`${item.at}${item.kind}${index}`} item={item} />
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

function Item({ item }: { readonly item: TimelineItem }) {
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
        <Causes item={item} />
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

function Causes({ item: { at, cause } }: { readonly item: TimelineItem }) {
  const { requestId, operationId, actorId, webhookId } = cause;
  const causes = [requestId, operationId, actorId, webhookId].filter((one) => one !== undefined);
  return (
    <Text size="xs" c="dimmed" component="div" className="hf-prose">
      <Moment at={at} />
      {causes.map((id) => (
        <span key={id}>
          {' · '}
          <IdLink id={id} isBare />
        </span>
      ))}
    </Text>
  );
}
