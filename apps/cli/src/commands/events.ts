//! `holdfast events`: follows the event log, or lists events in it.
import type { HoldfastEvent } from '@holdfast/sdk';
import type { Command } from 'commander';
import type { Style } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { clockText, shortText, spanText, timeText } from '../terminal/words.ts';
import { readTypes } from './event-types.ts';
import { does, type ProgramWorld } from './run.ts';

const TYPE_WIDTH = 30;

interface Which {
  readonly types?: string;
}

export function eventsCommand(world: ProgramWorld, program: Command): void {
  const events = program.command('events').description('read the event log of the marketplace');
  tailCommand(world, events);
  logCommand(world, events);
}

function tailCommand(world: ProgramWorld, events: Command): void {
  const tail = events
    .command('tail')
    .description('stream events as they occur, until Ctrl-C')
    .option(
      '--types <types>',
      'only these event types, such as order.released,dispute.* (default: all)',
    )
    .option('--from <position>', 'start position: now, beginning, a time or an event id', 'now');
  does<Which & { from: string }>(world, tail, async (run, { types, from }) => {
    const { terminal, signal } = run;
    const stream = run.holdfast().events.stream({
      types: readTypes(types),
      from,
      signal,
      onReset: ({ retainedSince }) =>
        terminal.printStderr(`  events before ${retainedSince} are no longer retained`),
      onDisconnect: (error, retryInMs) => {
        const why = error === undefined ? 'the server closed the stream' : error.message;
        terminal.printStderr(
          terminal.stderrStyle.dim(`  ${why}; reconnecting in ${spanText(retryInMs)}`),
        );
      },
    });
    terminal.progress.show('waiting for events');
    for await (const event of stream) {
      terminal.progress.clear();
      showEvent(terminal, event, clockText(event.occurredAt));
    }
  });
}

function logCommand(world: ProgramWorld, events: Command): void {
  const log = events
    .command('log')
    .description('list events in the log, oldest first')
    .option(
      '--types <types>',
      'only these event types, such as order.released,dispute.* (default: all)',
    )
    .option('--after <position>', 'only events after this time or event id')
    .option('--limit <count>', 'maximum number of events', '50');
  does<Which & { after?: string; limit: string }>(world, log, async (run, options) => {
    const types = readTypes(options.types);
    const query = { types: types && [...types], after: options.after, limit: 100 };
    const found = await run.holdfast().events.log(query).toArray(Number(options.limit));
    if (found.length === 0 && !run.terminal.isJson)
      run.terminal.printStderr('No events found. Use --after or --types to change the selection.');
    for (const event of found) showEvent(run.terminal, event, timeText(event.occurredAt) ?? '');
  });
}

function showEvent(terminal: Terminal, event: HoldfastEvent, time: string): void {
  if (terminal.isJson) terminal.printJsonLine(event);
  else terminal.print(eventLine(event, time, terminal.style));
}

/** Time, type, whose, and what it says in short. */
function eventLine(event: HoldfastEvent, time: string, style: Style): string {
  const { eventType, aggregateId } = event;
  return [
    style.dim(time),
    style.cyan(eventType.padEnd(TYPE_WIDTH)),
    shortText(aggregateId, 32),
    style.dim(gistOf(event)),
  ]
    .join('  ')
    .trimEnd();
}

/** The fields that a person looks for first. */
export function gistOf({ payload }: Pick<HoldfastEvent, 'payload'>): string {
  const { amount, currency, newAvailableBalance, reason, decision } = payload as Readonly<
    Record<string, unknown>
  >;
  const unit = typeof currency === 'string' ? ` ${currency}` : '';
  return [
    typeof amount === 'string' ? `${amount}${unit}` : '',
    typeof newAvailableBalance === 'string'
      ? `available balance ${newAvailableBalance}${unit}`
      : '',
    typeof decision === 'string' ? decision : '',
    typeof reason === 'string' ? reason : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}
