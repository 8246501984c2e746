//! The reference page of a life cycle: its drawing, its states, its transitions.
import { lifecycle, ORDER_ACTIONS, type Step } from '@holdfast/contract/lifecycle';
import { type Machine, statesOf, terminalStates } from '@holdfast/contract/machine';
import { code, codes, orDash, paragraphs, table } from './markdown.ts';

/** The subject of each life cycle, in words. */
const WORDS: Readonly<Record<string, string>> = {
  topup: 'top-up',
  run: 'reconciliation run',
  exception: 'reconciliation exception',
  webhook: 'webhook endpoint',
};

export function lifeOf({ name }: Machine): string {
  const words = WORDS[name] ?? name.replaceAll('_', ' ');
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}

export function statesPage(machine: Machine): string {
  const ends = terminalStates(machine);
  const states = statesOf(machine).map((state) => [
    code(state),
    machine.states[state] ?? '',
    [
      ...(state === machine.initial ? ['start'] : []),
      ...(machine.inFlight.includes(state) ? ['pending'] : []),
      ...(ends.includes(state) ? ['end'] : []),
    ].join(', '),
  ]);
  const moves = Object.entries(machine.moves).map(([name, move]) => [
    code(name),
    codes(move.from),
    code(move.to),
    codes(move.emits),
    [...(move.undo ? ['Rolls back a refused call.'] : []), move.description ?? ''].join(' ').trim(),
  ]);
  return paragraphs(
    `# Life of ${lifeOf(machine)}`,
    `![Every state of ${lifeOf(machine)}, and every transition between them](${machine.name}-states.svg)`,
    'A thick border marks the initial state, a filled box a final state. In a dashed ' +
      'box an operation may be in progress; it continues until its outcome is known. A dashed line ' +
      'rolls back a refused call.',
    '## States',
    table(['State', 'Meaning', 'Kind'], states),
    '## Transitions',
    table(['Transition', 'From', 'To', 'Events', 'Note'], moves),
    `On creation: ${orDash(codes(machine.initialEvents))}.`,
    ...(machine.name === 'order' ? orderExtras() : []),
  );
}

function orderExtras(): string[] {
  const actions = Object.entries(ORDER_ACTIONS).map(([name, at]) => [code(name), codes(at)]);
  const steps = Object.entries<Step>(lifecycle).map(([name, step]) => [
    code(name),
    `${step.trigger}: ${step.description}`,
    codes(step.order ?? []),
    codes(step.escrow === undefined ? [] : [step.escrow]),
    codes(step.dispute === undefined ? [] : [step.dispute]),
  ]);
  return [
    '## `allowedActions`',
    table(['Action', 'Order states'], actions),
    '## Order, escrow and dispute together',
    'Each row is one transaction. `CREATE` inserts the row in its initial state.',
    table(['Step', 'Effect', 'Order', 'Escrow', 'Dispute'], steps),
  ];
}
