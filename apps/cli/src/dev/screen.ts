//! What `holdfast dev` shows to a person: the start step by step, the way in, and then the events.
import type { LocalOperator } from '../local-operators.ts';
import type { Readiness } from '../local-readiness.ts';
import type { StepWatch } from '../local-steps.ts';
import type { Style } from '../terminal/style.ts';
import { type Column, fieldLines, tableLines } from '../terminal/table.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { clockText, moneyText, spanText } from '../terminal/words.ts';
import type { SeenEvent } from './event-tail.ts';

const NAME_COLUMNS = 15;
const TYPE_COLUMNS = 30;
const HELD_SHOWN = 6;

/** Each step with its time; what is at work now stays in the last line of a terminal. */
export function watchSteps(terminal: Terminal): StepWatch {
  const { style, progress } = terminal;
  const atWork = new Set<string>();
  const showWork = () => {
    if (atWork.size === 0) progress.clear();
    else progress.show([...atWork].join(', '));
  };
  return {
    begun(name) {
      atWork.add(name);
      showWork();
    },
    done(name, ms, detail = '') {
      atWork.delete(name);
      progress.clear();
      const what = `${name.padEnd(NAME_COLUMNS)} ${style.dim(spanText(ms).padStart(7))}`;
      terminal.say(`  ${style.green('✓')} ${what}  ${style.dim(detail)}`.trimEnd());
      showWork();
    },
  };
}

export interface Welcome {
  readonly ready: Readiness;
  readonly docs: string | undefined;
  readonly log: string;
  readonly startMs: number;
  readonly isKept: boolean;
}

export function welcomeLines(terminal: Terminal, welcome: Welcome): string[] {
  const { style } = terminal;
  const { ready, docs, log } = welcome;
  const ending = welcome.isKept ? 'ends everything and keeps the state' : 'ends everything';
  return [
    '',
    style.bold(`  Holdfast is running, ready after ${spanText(welcome.startMs)}.`),
    '',
    ...fieldLines(
      [
        ['API', ready.api],
        ['Docs', docs],
        ['Console', ready.console],
        ['Sandbox', ready.sandbox],
        ['API key', ready.apiKey],
        ['Marketplace', ready.marketplaceId],
        ['Log', log],
      ],
      style,
    ),
    '',
    '  Sign in to the console as:',
    '',
    ...operatorLines(ready, style),
    '',
    '  Try it:',
    '',
    `    curl -s ${ready.api}/api/v1/users \\`,
    `      -H 'Authorization: Bearer ${ready.apiKey}' -H 'Content-Type: application/json' \\`,
    `      -d '{"externalUserId":"ada"}'`,
    '',
    '  Then, in another terminal in this folder:',
    '',
    ...nextCommands().map((command) => `    ${style.cyan(command)}`),
    '',
    style.dim(`  Ctrl-C ${ending}. What happens in the marketplace is told below.`),
    '',
  ];
}

function operatorLines({ operators }: Readiness, style: Style): string[] {
  const columns: Column<LocalOperator>[] = [
    { head: 'Role', of: ({ role }) => role },
    { head: 'Email', of: ({ email }) => email },
    { head: 'Password', of: ({ password }) => password },
    { head: 'Secret of the codes', of: ({ totpSecret }) => totpSecret },
  ];
  return tableLines(operators, columns, style).map((line) => `    ${line}`);
}

function nextCommands(): string[] {
  return [
    'npx holdfast trigger order.released',
    'npx holdfast listen --forward-to http://127.0.0.1:3000/webhooks',
    'npx holdfast explain ord_…',
  ];
}

export interface EventScreen {
  show(event: SeenEvent): void;
  /** From here on as they come; of those held back before, the last ones. */
  letGo(): void;
  /** An order that was seen, the newest. */
  readonly orderId: string | undefined;
}

/** Held back at first: what the demo makes would push the way in off the screen. */
export function openEventScreen(terminal: Terminal, isHeld: boolean): EventScreen {
  let held: SeenEvent[] | undefined = isHeld ? [] : undefined;
  let orderId: string | undefined;
  const print = (event: SeenEvent) => terminal.say(eventLine(terminal, event));
  return {
    show(event) {
      if (event.eventType.startsWith('order.')) orderId = event.aggregateId;
      if (held === undefined) print(event);
      else held.push(event);
    },
    letGo() {
      for (const event of held?.slice(-HELD_SHOWN) ?? []) print(event);
      held = undefined;
    },
    get orderId() {
      return orderId;
    },
  };
}

function eventLine({ style }: Terminal, event: SeenEvent): string {
  const { amount, currency } = event.payload;
  const hasMoney = typeof amount === 'string';
  const money = hasMoney ? moneyText(amount, typeof currency === 'string' ? currency : '') : '';
  const type = event.eventType.padEnd(TYPE_COLUMNS);
  return `  ${style.dim(clockText(event.occurredAt))}  ${type} ${event.aggregateId}  ${money}`.trimEnd();
}
