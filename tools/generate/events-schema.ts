//! The JSON Schema of every event, envelope included.
import { EVENT_NAMES, eventEnvelope, events } from '@holdfast/contract/events';
import { plain } from './schema.ts';

export function eventsSchema(): Record<string, unknown> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Events',
    oneOf: EVENT_NAMES.map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: Object.fromEntries(EVENT_NAMES.map((name) => [name, envelopeOf(name)])),
  };
}

function envelopeOf(name: (typeof EVENT_NAMES)[number]): Record<string, unknown> {
  const { title: _, properties, ...envelope } = plain(eventEnvelope);
  return {
    description: events[name].description,
    ...envelope,
    properties: {
      ...properties,
      eventType: { const: name },
      aggregateType: { const: events[name].aggregateType },
      payload: plain(events[name].payload),
    },
  };
}
