//! The first page of the reference: its contents, and the conventions of the wire.
import type { Endpoint } from '@holdfast/contract/endpoint';
import type { Machine } from '@holdfast/contract/machine';
import { machines } from '@holdfast/contract/machines';
import * as envelope from './envelope.ts';
import { json, paragraphs, table } from './markdown.ts';
import { RESOURCES, resourceOf } from './resources.ts';
import { lifeOf } from './states-page.ts';

export function referenceIndex(endpoints: readonly Endpoint[]): string {
  return paragraphs(
    '# Reference',
    'These pages are generated from the tables that the service itself uses, so they match its ' +
      'behavior.',
    ...apiSection(endpoints),
    ...envelopeSection(),
    '## Kinds of fields',
    table(['Kind', 'Meaning'], FIELD_KINDS),
    '## More',
    table(['Page', 'About'], otherPages()),
  );
}

function apiSection(endpoints: readonly Endpoint[]): string[] {
  const used = new Set(endpoints.map(resourceOf));
  const rows = RESOURCES.filter((one) => used.has(one)).map(({ slug, title, description }) => [
    `[${title}](api/${slug}.md)`,
    description,
  ]);
  return [
    '## API',
    table(['Page', 'About'], rows),
    '[All endpoints in one table](endpoints.md). For tools: OpenAPI 3.1 of ' +
      '[Surface A](openapi-surface-a.json) and [Surface B](openapi-surface-b.json).',
  ];
}

function envelopeSection(): string[] {
  return [
    '## The envelope',
    'Surface A is below `/api/v1`. A single object is returned as',
    json(envelope.filled(envelope.one, { id: 'ord_…' })),
    'and a list as',
    json(envelope.filled(envelope.page, { id: 'ord_…' })),
    'For the next page, pass `nextCursor` as `cursor` (in the event log, as `after`). Fields and ' +
      'query parameters are accepted in camelCase and in snake_case. Responses are in camelCase, ' +
      'except `escrow.terms.milestones_required` and the `api_key` of a new key. An error is',
    json(envelope.failure('ORDER_NOT_FOUND', { orderId: 'ord_…' })),
    'Every response has `X-Request-ID`. If you send a UUID of your own there, it appears in the ' +
      'audit log and as `metadata.correlationId` of the events.',
  ];
}

const FIELD_KINDS: [string, string][] = [
  [
    'amount',
    'a decimal string, such as `"100.00"`: exactly two decimals in responses, at most two in requests',
  ],
  ['time', 'ISO 8601 with a UTC offset, such as `2026-03-01T12:00:00.000Z`'],
  ['`usr_` id', 'a prefix that names the kind, then letters and digits that sort by time'],
  ['values separated by commas', 'exactly one of these values'],
];

function otherPages(): string[][] {
  const lives = Object.values<Machine>(machines).map((one) => [
    `[Life of ${lifeOf(one)}](${one.name}-states.md)`,
    'Its states and transitions, drawn and listed',
  ]);
  return [
    ['[Events](events.md)', 'Every event with its schema and an example'],
    ['[Errors](errors.md)', 'Every code, with its cause and advice'],
    ...lives,
    ['[Configuration](configuration.md)', 'Every setting'],
    ['[Background jobs](jobs.md)', 'Every job of a worker, its interval and its purpose'],
    ['[Metrics](metrics.md)', 'Every metric, its labels and its meaning'],
    ['[Command line](cli.md)', 'Every command of `holdfast`, and its exit codes'],
    ['[SDK](sdk.md)', 'Every call and helper of `@holdfast/sdk`'],
  ];
}
