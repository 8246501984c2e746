//! The latest events as they arrive, newest on top.
import type { HoldfastEvent } from '@holdfast/sdk';
import { Anchor, Button, Group, Text } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { useSession } from '#app/session/session.tsx';
import { EmptyState } from '#parts/empty-state.tsx';
import { IdLink } from '#parts/id-link.tsx';
import { Moment } from '#parts/moment.tsx';

interface Props {
  readonly most?: number;
  readonly matches?: (event: HoldfastEvent) => boolean;
  readonly onOpen?: (event: HoldfastEvent) => void;
}

export function LiveTail({ most = 50, matches = () => true, onOpen }: Props) {
  const { live } = useSession();
  const latest = useSyncExternalStore(live.subscribe, live.events);
  const [held, setHeld] = useState<readonly HoldfastEvent[]>();
  const shown = (held ?? latest).filter(matches).slice(0, most);
  return (
    <div>
      <Group justify="space-between" mb="xs">
        <Text size="sm" c="dimmed">
          {held ? 'Paused' : 'Live'} · {shown.length} {shown.length === 1 ? 'event' : 'events'}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => setHeld(held ? undefined : latest)}
        >
          {held ? 'Resume' : 'Pause'}
        </Button>
      </Group>
      {shown.length === 0 && (
        <EmptyState title="No matching events yet">
          Events appear here as they happen. To see earlier events, open the Log tab.
        </EmptyState>
      )}
      {shown.length > 0 && (
        <div className="hf-frame hf-scroll">
          <table className="hf-table" aria-label="Latest events">
            <tbody>
              {shown.map((event) => (
                <TailRow key={event.eventId} event={event} onOpen={onOpen} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

interface RowProps {
  readonly event: HoldfastEvent;
  readonly onOpen: ((event: HoldfastEvent) => void) | undefined;
}

/** The whole row opens for the mouse; for keys there is a button in it. */
function TailRow({ event, onOpen }: RowProps) {
  const { occurredAt, eventType, aggregateId } = event;
  return (
    <tr
      data-open={onOpen !== undefined}
      onClick={({ target }) => {
        if (!(target as Element).closest('a,button')) onOpen?.(event);
      }}
    >
      <td>
        <Moment at={occurredAt} isShort />
      </td>
      <td>
        {onOpen === undefined ? (
          eventType
        ) : (
          <Anchor component="button" type="button" size="sm" onClick={() => onOpen(event)}>
            {eventType}
          </Anchor>
        )}
      </td>
      <td>
        <IdLink id={aggregateId} isBare />
      </td>
    </tr>
  );
}
