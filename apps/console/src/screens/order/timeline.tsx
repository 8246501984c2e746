//! The story of an order, oldest first: calls, people, money, the network, webhooks.
import type { TimelineItem } from '@holdfast/sdk';
import { Badge, Button, Code, Collapse, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRead } from '#app/read.ts';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Loaded } from '#parts/loaded.tsx';
import { Moment } from '#parts/moment.tsx';
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
          <Stack component="ol" gap={0} m={0} p={0} style={{ listStyle: 'none' }}>
            {items.map((item, index) => (
              // The story only grows at its end: a place is an identity.
              // biome-ignore lint/suspicious/noArrayIndexKey: items have no id of their own.
              <Item key={`${item.at}${item.kind}${index}`} item={item} />
            ))}
            {items.length === ITEMS_MAX && (
              <Text size="sm" c="dimmed">
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
  const { requestId, operationId, actorId, webhookId } = item.cause;
  const causes = [requestId, operationId, actorId, webhookId].filter((one) => one !== undefined);
  return (
    <li style={{ borderLeft: '2px solid var(--hf-line)', padding: '6px 0 6px 14px' }}>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Badge variant="default" radius="sm" tt="none" miw={104}>
          {wordsOf(item.kind)}
        </Badge>
        <div style={{ flex: 1 }}>
          <Text size="sm" className="hf-text">
            {item.title}
          </Text>
          <Text size="xs" c="dimmed" component="div">
            <Moment at={item.at} />{' '}
            {causes.map((id) => (
              <span key={id}>
                · <IdLink id={id} isBare />{' '}
              </span>
            ))}
          </Text>
          <Collapse expanded={isOpen}>
            <Code block className="hf-text" mt={6}>
              {JSON.stringify(item.detail, null, 2)}
            </Code>
          </Collapse>
        </div>
        {Object.keys(item.detail).length > 0 && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={toggle}
            aria-expanded={isOpen}
            aria-label={`Details of ${item.title}`}
          >
            {isOpen ? 'Less' : 'More'}
          </Button>
        )}
      </Group>
    </li>
  );
}
