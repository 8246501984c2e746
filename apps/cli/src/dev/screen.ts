//! The terminal output of `holdfast dev` for a person: start steps, addresses and logins, events.
import { firstName } from '../commands/code.ts';
import { COMMAND } from '../entries.ts';
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
    started(name) {
      atWork.add(name);
      showWork();
    },
    done(name, ms, detail = '') {
      atWork.delete(name);
      progress.clear();
      const what = `${name.padEnd(NAME_COLUMNS)} ${style.dim(spanText(ms).padStart(7))}`;
      terminal.print(`  ${style.green('✓')} ${what}  ${style.dim(detail)}`.trimEnd());
      showWork();
    },
  };
}

export interface Welcome {
  readonly ready: Readiness;
  /** Undefined where none is served. */
  readonly docs: string | undefined;
  readonly console: string | undefined;
  readonly log: string;
  readonly startMs: number;
  readonly isPersistent: boolean;
}

export function welcomeLines(terminal: Terminal, welcome: Welcome): string[] {
  const { style } = terminal;
  const { ready, docs, log, console: consoleUrl } = welcome;
  const ending = welcome.isPersistent
    ? 'stops all processes and keeps the data'
    : 'stops all processes and deletes the data';
  return [
    '',
    style.bold(`  Holdfast is ready (started in ${spanText(welcome.startMs)}).`),
    '',
    ...fieldLines(
      [
        ['API', ready.api],
        ['Docs', docs ?? notBuilt('docs')],
        ['Console', consoleUrl ?? notBuilt('console')],
        ['Sandbox', ready.sandbox],
        ['API key', ready.apiKey],
        ['Marketplace', ready.marketplaceId],
        ['Log', log],
      ],
      style,
    ),
    '',
    ...(consoleUrl === undefined ? [] : signInLines(ready, style)),
    '  Try it:',
    '',
    `    curl -s ${ready.api}/api/v1/users \\`,
    `      -H 'Authorization: Bearer ${ready.apiKey}' -H 'Content-Type: application/json' \\`,
    `      -d '{"externalUserId":"grace"}'`,
    '',
    '  Next, in another terminal in this folder:',
    '',
    ...nextCommands().map((command) => `    ${style.cyan(command)}`),
    '',
    style.dim(`  Ctrl-C ${ending}. Events of the marketplace appear below.`),
    '',
  ];
}

/** Only in a checkout: a package brings both. */
const notBuilt = (site: string) => `not built; run \`npm run build:${site}\` and start again`;

function signInLines(ready: Readiness, style: Style): string[] {
  const [first] = ready.operators;
  const command = `${COMMAND} code ${firstName(first?.email ?? '')}`;
  return [
    '  Sign in to the console:',
    '',
    ...operatorLines(ready, style),
    '',
    `  Get the two-factor code in another terminal in this folder: ${style.cyan(command)}`,
    '',
  ];
}

function operatorLines({ operators }: Readiness, style: Style): string[] {
  const columns: Column<LocalOperator>[] = [
    { head: 'Role', of: ({ role }) => role },
    { head: 'Email', of: ({ email }) => email },
    { head: 'Password', of: ({ password }) => password },
  ];
  return tableLines(operators, columns, style).map((line) => `    ${line}`);
}

function nextCommands(): string[] {
  return [
    `${COMMAND} trigger order.released`,
    `${COMMAND} listen --forward-to http://127.0.0.1:3000/webhooks`,
    `${COMMAND} explain ord_…`,
  ];
}

export interface EventScreen {
  show(event: SeenEvent): void;
  /** From here on as they come; of those held back before, the last ones. */
  release(): void;
  /** An order that was seen, the newest. */
  readonly orderId: string | undefined;
}

/** Held back at first: what the demo makes would push the way in off the screen. */
export function openEventScreen(terminal: Terminal, isHeld: boolean): EventScreen {
  let held: SeenEvent[] | undefined = isHeld ? [] : undefined;
  let orderId: string | undefined;
  const print = (event: SeenEvent) => terminal.print(eventLine(terminal, event));
  return {
    show(event) {
      if (event.eventType.startsWith('order.')) orderId = event.aggregateId;
      if (held === undefined) print(event);
      else held.push(event);
    },
    release() {
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
