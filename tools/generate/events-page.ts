//! The reference of events: each with its schema, an example, and its causes.
import type { Endpoint } from '@holdfast/contract/endpoint';
import { EVENT_NAMES, type EventName, events } from '@holdfast/contract/events';
import type { Machine } from '@holdfast/contract/machine';
import { machines } from '@holdfast/contract/machines';
import { payloadExample } from './fitting-examples.ts';
import {
  anchorOf,
  code,
  collapsible,
  fieldTable,
  json,
  orDash,
  paragraphs,
  table,
  titleOf,
} from './markdown.ts';
import { resourceOf } from './resources.ts';
import { plain, rowsOf } from './schema.ts';

const EXAMPLE_ID = '00k7qv3zsx5fj2m8r4tw9c6hbd';

export function eventsPage(endpoints: readonly Endpoint[]): string {
  const rows = EVENT_NAMES.map((name) => [
    `[${code(name)}](#${anchorOf(name)})`,
    events[name].description,
  ]);
  return paragraphs(
    '# Events',
    `${EVENT_NAMES.length} events, one envelope: \`eventId\`, \`eventType\`, \`occurredAt\`, ` +
      '`aggregateId`, `aggregateType`, `payload`, `metadata`. The stream, the log and outbound ' +
      'webhooks carry the same bytes. The schemas are in [events.schema.json](events.schema.json). ' +
      'A background job or a webhook that makes a change emits the same events as the call would ' +
      'have. New types and fields may be added: ignore unknown ones.',
    table(['Event', 'Meaning'], rows),
    ...EVENT_NAMES.map((name) => eventSection(name, endpoints)),
  );
}

function eventSection(name: EventName, endpoints: readonly Endpoint[]): string {
  const { description, aggregateType, payload } = events[name];
  const emitting = endpoints.filter((one) => one.emits.includes(name));
  return [
    `## ${name}`,
    `${description} Its \`aggregateType\` is ${code(aggregateType)}.`,
    fieldTable('Field of the payload', rowsOf(payload)),
    collapsible('An example', json(exampleEvent(name))),
    `Transitions: ${orDash(movesThatEmit(name).join(', '))}. Endpoints: ${orDash(
      emitting.map(linkFromHere).join(', '),
    )}.`,
  ].join('\n\n');
}

function linkFromHere(endpoint: Endpoint): string {
  const title = titleOf(endpoint.id);
  return `[${title}](api/${resourceOf(endpoint).slug}.md#${anchorOf(title)})`;
}

/** An event as a reader of the stream gets it. */
function exampleEvent(name: EventName): Record<string, unknown> {
  const { aggregateType } = events[name];
  const payload = payloadExample(name, plain(events[name].payload));
  const [idField] = Object.keys(payload).filter((key) => key.endsWith('Id'));
  return {
    eventId: `evt_${EXAMPLE_ID}`,
    eventType: name,
    occurredAt: '2026-03-01T12:00:00.000001Z',
    aggregateId: payload[idField ?? ''] ?? '',
    aggregateType,
    payload,
    metadata: {
      correlationId: '3f0c1a52-6a0d-4c39-9c0e-5f7c2f7d9b11',
      marketplaceId: `mkt_${EXAMPLE_ID}`,
    },
  };
}

/** `order.release` for each move, and `order` alone for what is published at its birth. */
function movesThatEmit(name: EventName): string[] {
  return Object.values<Machine>(machines).flatMap((machine) => {
    const page = `${machine.name}-states.md`;
    return [
      ...(machine.initialEvents.includes(name) ? [`[${machine.name} created](${page})`] : []),
      ...Object.entries(machine.moves)
        .filter(([, move]) => move.emits.includes(name))
        .map(([move]) => `[${code(`${machine.name}.${move}`)}](${page})`),
    ];
  });
}
