//! The reference pages: life cycles, errors, events and endpoints as tables for people.
import { type Endpoint, errorsOf } from '@holdfast/contract/endpoint';
import { type ErrorCode, errors, statusOf, UNROUTED } from '@holdfast/contract/errors';
import { EVENT_NAMES, type EventName, events } from '@holdfast/contract/events';
import { lifecycle, ORDER_ACTIONS, type Step } from '@holdfast/contract/lifecycle';
import { type Machine, statesOf, terminalStates } from '@holdfast/contract/machine';
import { machines } from '@holdfast/contract/machines';
import { fieldsOf } from './schema.ts';

const code = (text: string) => `\`${text}\``;
const codes = (list: readonly string[]) => list.map(code).join(', ');
const orDash = (text: string) => (text === '' ? '–' : text);

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return orDash(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
}

const paragraphs = (...parts: readonly string[]) => `${parts.join('\n\n')}\n`;

export function statesPage(machine: Machine): string {
  const ends = terminalStates(machine);
  const states = statesOf(machine).map((state) => [
    code(state),
    machine.states[state] ?? '',
    [
      ...(state === machine.initial ? ['start'] : []),
      ...(machine.inFlight.includes(state) ? ['in flight'] : []),
      ...(ends.includes(state) ? ['end'] : []),
    ].join(', '),
  ]);
  const moves = Object.entries(machine.moves).map(([name, move]) => [
    code(name),
    codes(move.from),
    code(move.to),
    codes(move.emits),
    [...(move.undo ? ['Takes a refused call back.'] : []), move.means ?? ''].join(' ').trim(),
  ]);
  return paragraphs(
    `# Life of ${/^[aeiou]/.test(machine.name) ? 'an' : 'a'} ${machine.name}`,
    diagram(machine),
    '## States',
    table(['State', 'Meaning', 'Kind'], states),
    '## Moves',
    table(['Move', 'From', 'To', 'Events', 'Note'], moves),
    `When it comes into being: ${orDash(codes(machine.born))}.`,
    ...(machine.name === 'order' ? orderExtras() : []),
  );
}

function diagram(machine: Machine): string {
  const arrows = Object.entries(machine.moves).flatMap(([name, { from, to }]) =>
    from.map((state) => `  ${state} --> ${to}: ${name}`),
  );
  const ends = terminalStates(machine).map((state) => `  ${state} --> [*]`);
  const lines = ['stateDiagram-v2', `  [*] --> ${machine.initial}`, ...arrows, ...ends];
  return ['```mermaid', ...lines, '```'].join('\n');
}

function orderExtras(): string[] {
  const actions = Object.entries(ORDER_ACTIONS).map(([name, at]) => [code(name), codes(at)]);
  const steps = Object.entries<Step>(lifecycle).map(([name, step]) => [
    code(name),
    `${step.does}: ${step.means}`,
    codes(step.order ?? []),
    codes(step.escrow === undefined ? [] : [step.escrow]),
    codes(step.dispute === undefined ? [] : [step.dispute]),
  ]);
  return [
    '## What `allowedActions` tells about',
    table(['Action', 'Order states in which it may happen'], actions),
    '## Order, escrow and dispute together',
    'Each row is one transaction. `BEGIN` makes the row in its first state.',
    table(['Step', 'What happens', 'Order', 'Escrow', 'Dispute'], steps),
  ];
}

export function errorsPage(endpoints: readonly Endpoint[]): string {
  const rows = (Object.keys(errors) as ErrorCode[]).map((name) => [
    `<a id="${name.toLowerCase()}"></a>${code(name)}`,
    statusesOf(name, endpoints),
    errors[name].retry,
    errors[name].message,
    fieldsOf(errors[name].details)
      .map((field) => `${code(field.isRequired ? field.name : `${field.name}?`)} ${field.kind}`)
      .join('; '),
    whereAnswered(name, endpoints),
  ]);
  return paragraphs(
    '# Errors',
    'Branch on the code: messages are for people and may change. Surface A answers ' +
      '`{ error: { code, message, details? } }`; Surface B puts the message into its own envelope.',
    table(
      ['Retry', 'Means'],
      [
        ['never', 'The same request will be refused again.'],
        ['after-fixing', 'Change the request, or what it is about, and send it again.'],
        ['later', 'Nothing was done; the same request may succeed later.'],
        ['look-first', 'The outcome is open: read the resource before you repeat.'],
      ],
    ),
    table(['Code', 'Status', 'Retry', 'Meaning', 'Details', 'Answered by'], rows),
  );
}

function statusesOf(name: ErrorCode, endpoints: readonly Endpoint[]): string {
  const found = endpoints.filter((one) => errorsOf(one).includes(name));
  const statuses = new Set([statusOf(name), ...found.map((one) => statusOf(name, one))]);
  return [...statuses].join(', ');
}

function whereAnswered(name: ErrorCode, endpoints: readonly Endpoint[]): string {
  if (UNROUTED.includes(name)) return 'no endpoint of its own';
  const found = endpoints.filter((one) => errorsOf(one).includes(name));
  if (found.length === endpoints.length) return 'every endpoint';
  if (found.length > 25) return `${found.length} endpoints: see [endpoints](endpoints.md)`;
  return codes(found.map((one) => one.id));
}

export function eventsPage(endpoints: readonly Endpoint[]): string {
  const sections = EVENT_NAMES.map((name) =>
    [
      `## ${name}`,
      `${events[name].means} Aggregate: ${code(events[name].aggregateType)}.`,
      table(
        ['Field', 'Kind', 'Always there'],
        fieldsOf(events[name].payload).map((field) => [
          code(field.name),
          field.kind,
          field.isRequired ? 'yes' : 'no',
        ]),
      ),
      `Moves: ${orDash(codes(movesThatEmit(name)))}. Endpoints: ${orDash(
        codes(endpoints.filter((one) => one.emits.includes(name)).map((one) => one.id)),
      )}.`,
    ].join('\n\n'),
  );
  return paragraphs(
    '# Events',
    `${EVENT_NAMES.length} events, one envelope: \`eventId\`, \`eventType\`, \`occurredAt\`, ` +
      '`aggregateId`, `aggregateType`, `payload`, `metadata`. The schemas are in ' +
      '[events.schema.json](events.schema.json). A background job or a webhook that makes a ' +
      'change emits the same events as the call would have.',
    ...sections,
  );
}

/** `order.release` for each move, and `order` alone for what is published at its birth. */
function movesThatEmit(name: EventName): string[] {
  return Object.values<Machine>(machines).flatMap((machine) => [
    ...(machine.born.includes(name) ? [`${machine.name} created`] : []),
    ...Object.entries(machine.moves)
      .filter(([, move]) => move.emits.includes(name))
      .map(([move]) => `${machine.name}.${move}`),
  ]);
}

export function endpointsPage(endpoints: readonly Endpoint[], base: string): string {
  const rows = endpoints.map((one) => [
    one.method,
    code(one.surface === 'a' ? `${base}${one.path}` : one.path),
    code(one.id),
    one.master && one.scope !== 'master' ? `${one.scope}, or master` : one.scope,
    one.idempotent ? 'yes' : 'no',
    [one.success.status, one.success.also ?? []].flat().join(', '),
    codes(one.emits),
    codes(one.errors),
    one.origin,
  ]);
  const head = ['Method', 'Path', 'Operation', 'Scope', 'Idempotency-Key', 'Success', 'Events'];
  return paragraphs(
    '# Endpoints',
    'Every endpoint also answers with the errors of its kind: `VALIDATION_ERROR` where it takes ' +
      'anything, `UNAUTHORIZED` and `INSUFFICIENT_SCOPE` where it needs a key, the two ' +
      '`IDEMPOTENCY_KEY_` errors where it honours one, `PAYLOAD_TOO_LARGE` and ' +
      '`UNSUPPORTED_MEDIA_TYPE` where it takes a body, and `RATE_LIMITED`, `INTERNAL_ERROR` and ' +
      '`SERVICE_UNAVAILABLE` always.',
    table([...head, 'Own errors', 'Origin'], rows),
  );
}
