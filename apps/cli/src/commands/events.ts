//! `holdfast events`: the log as it grows, or what stands in it.
import type { HoldfastEvent } from '@holdfast/sdk';
import type { Command } from 'commander';
import type { Style } from '../terminal/style.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { clockText, shortText } from '../terminal/words.ts';
import { readTypes } from './event-types.ts';
import { does, type ProgramWorld } from './run.ts';

const TYPE_WIDTH = 30;

interface Which {
  readonly types?: string;
}

export function eventsCommand(world: ProgramWorld, program: Command): void {
  const events = program.command('events').description('the event log of the marketplace');
  tailCommand(world, events);
  logCommand(world, events);
}

function tailCommand(world: ProgramWorld, events: Command): void {
  const tail = events
    .command('tail')
    .description('events as they happen, until Ctrl-C')
    .option('--types <types>', 'such as order.released,dispute.*')
    .option('--from <place>', 'now, beginning, a time or an event id', 'now');
  does<Which & { from: string }>(world, tail, async (run, { types, from }) => {
    const { terminal, signal } = run;
    const stream = run.holdfast().events.stream({
      types: readTypes(types),
      from,
      signal,
      onReset: ({ keptSince }) =>
        terminal.note(`  events before ${keptSince} are not kept any more`),
      onDisconnect: (error, retryInMs) => {
        const why = error === undefined ? 'the server ended the stream' : error.message;
        terminal.note(terminal.noteStyle.dim(`  ${why}; again in ${Math.round(retryInMs)} ms`));
      },
    });
    terminal.progress.show('waiting for events');
    for await (const event of stream) {
      terminal.progress.clear();
      showEvent(terminal, event);
    }
  });
}

function logCommand(world: ProgramWorld, events: Command): void {
  const log = events
    .command('log')
    .description('what stands in the log, oldest first')
    .option('--types <types>', 'such as order.released,dispute.*')
    .option('--after <cursor>', 'a time, or an event id')
    .option('--limit <count>', 'how many at most', '50');
  does<Which & { after?: string; limit: string }>(world, log, async (run, options) => {
    const types = readTypes(options.types);
    const query = { types: types && [...types], after: options.after, limit: 100 };
    const found = await run.holdfast().events.log(query).toArray(Number(options.limit));
    for (const event of found) showEvent(run.terminal, event);
  });
}

function showEvent(terminal: Terminal, event: HoldfastEvent): void {
  if (terminal.isJson) terminal.sayJsonLine(event);
  else terminal.say(eventLine(event, terminal.style));
}

/** Time, type, whose, and what it says in short. */
function eventLine(event: HoldfastEvent, style: Style): string {
  const { eventType, occurredAt, aggregateId } = event;
  return [
    style.dim(clockText(occurredAt)),
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
  return [
    typeof amount === 'string'
      ? `${amount}${typeof currency === 'string' ? ` ${currency}` : ''}`
      : '',
    typeof newAvailableBalance === 'string' ? `available ${newAvailableBalance}` : '',
    typeof decision === 'string' ? decision : '',
    typeof reason === 'string' ? reason : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}
