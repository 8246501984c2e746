//! The reference page of a life cycle: its drawing, its states, its moves.
import { lifecycle, ORDER_ACTIONS, type Step } from '@holdfast/contract/lifecycle';
import { type Machine, statesOf, terminalStates } from '@holdfast/contract/machine';
import { code, codes, orDash, paragraphs, table } from './markdown.ts';

/** What a life cycle is of, in words. */
const WORDS: Readonly<Record<string, string>> = {
  topup: 'top-up',
  run: 'reconciliation run',
  exception: 'reconciliation exception',
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
    `# Life of ${lifeOf(machine)}`,
    `![Every state of ${lifeOf(machine)}, and every move between them](${machine.name}-states.svg)`,
    'A thick border is where it starts, a filled box where it ends. In a dashed box a provider is ' +
      'being waited for, and it goes on by itself. A dashed line takes a refused call back.',
    '## States',
    table(['State', 'Meaning', 'Kind'], states),
    '## Moves',
    table(['Move', 'From', 'To', 'Events', 'Note'], moves),
    `When it comes into being: ${orDash(codes(machine.born))}.`,
    ...(machine.name === 'order' ? orderExtras() : []),
  );
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
