//! `holdfast listen`: sends events to a handler on this machine as production would, and remembers
//! how far it came.
import type { HoldfastEvent } from '@holdfast/sdk';
import type { Command } from 'commander';
import { usageFault } from '../command-fault.ts';
import { cursorFile } from '../listen/cursor-file.ts';
import { BEGINNING, followEvents, type Watch } from '../listen/follow-events.ts';
import { type Attempt, isTaken } from '../listen/forward.ts';
import { listenSecret, readSecret } from '../listen/secret-file.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { clockText, spanText } from '../terminal/words.ts';
import { readTypes } from './event-types.ts';
import { does, type ProgramWorld, type Run } from './run.ts';

const TYPE_WIDTH = 30;

interface ListenOptions {
  readonly forwardTo: string;
  readonly types?: string;
  readonly from: string;
  readonly secret?: string;
}

export function listenCommand(world: ProgramWorld, program: Command): void {
  const listen = program
    .command('listen')
    .description('send events to your handler, signed as in production; resumes where it ended')
    .requiredOption('--forward-to <url>', 'your handler, such as http://localhost:3000/webhooks')
    .option('--types <types>', 'such as order.released,dispute.*')
    .option(
      '--from <place>',
      'cursor (where it ended), now, beginning, a time or an event',
      'cursor',
    )
    .option('--secret <whsec>', 'to sign with; one of its own, always the same, when absent');
  does<ListenOptions>(world, listen, async (run, options) => {
    const { terminal, signal } = run;
    const types = readTypes(options.types);
    const forwardTo = readHandlerUrl(options.forwardTo);
    const secret = options.secret ? readSecret(options.secret) : listenSecret(world.folder);
    const holdfast = run.holdfast();
    const { marketplaceId } = await holdfast.keys.current();
    const route = { from: holdfast.baseUrl, to: forwardTo, whose: marketplaceId };
    const cursor = cursorFile(world.folder, route);
    const kept = options.from === 'cursor' ? cursor.read() : undefined;
    const from = kept ?? (await placeOf(run, options.from));
    // Ended before the first event, it still begins here the next time.
    cursor.write(from);
    const watch = watchOn(terminal);
    const start = { forwardTo, marketplaceId, secret, from, resumes: kept !== undefined };
    begin(terminal, start);
    const { clock } = world;
    await followEvents({ holdfast, forwardTo, secret, cursor, from, types, signal, clock, watch });
    if (!terminal.isJson) terminal.note('', `Ended; the next start goes on from ${cursor.read()}.`);
  });
}

function placeOf(run: Run, from: string): Promise<string> | string {
  if (from === 'beginning') return BEGINNING;
  return from === 'cursor' || from === 'now' ? run.holdfast().events.now() : from;
}

function readHandlerUrl(text: string): string {
  const url = /^\d+$/.test(text) ? `http://127.0.0.1:${text}/` : text;
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return new URL(url).href;
  throw usageFault(`${text} is no address of a handler`, 'such as http://localhost:3000/webhooks');
}

interface Start {
  readonly forwardTo: string;
  readonly marketplaceId: string;
  readonly secret: string;
  readonly from: string;
  readonly resumes: boolean;
}

function begin(terminal: Terminal, start: Start): void {
  if (terminal.isJson) {
    terminal.sayJsonLine({ listening: true, ...start });
    return;
  }
  const { style } = terminal;
  const { forwardTo, marketplaceId, secret, from, resumes } = start;
  terminal.say(
    `Events of ${marketplaceId} go to ${style.bold(forwardTo)}`,
    `  ${style.dim('secret')}  ${secret}`,
    `  ${style.dim('from')}    ${from === BEGINNING ? 'the beginning' : from}${resumes ? style.dim(' (where it ended)') : ''}`,
    '',
  );
}

function watchOn(terminal: Terminal): Watch {
  const { style, noteStyle } = terminal;
  let wasConnected = false;
  return {
    connected: () => {
      if (wasConnected && !terminal.isJson) terminal.note(noteStyle.green('  connected again'));
      wasConnected = true;
      terminal.progress.show('waiting for events');
    },
    disconnected: (why, retryInMs) => {
      terminal.progress.clear();
      if (terminal.isJson) return terminal.sayJsonLine({ disconnected: why, retryInMs });
      terminal.note(noteStyle.yellow(`  ${why}; again in ${spanText(retryInMs)}`));
    },
    gap: (keptSince) => {
      terminal.progress.clear();
      if (terminal.isJson) return terminal.sayJsonLine({ gap: true, keptSince });
      terminal.note(
        noteStyle.red(`✗ a gap: events before ${keptSince} are not kept any more`),
        '  → read what you mirror anew through the API; it goes on from there',
      );
    },
    attempted: (event, attempt, retryInMs) => {
      terminal.progress.clear();
      if (terminal.isJson) terminal.sayJsonLine(attemptJson(event, attempt, retryInMs));
      else terminal.say(attemptLine(event, attempt, retryInMs, style));
      terminal.progress.show('waiting for events');
    },
  };
}

function attemptJson(event: HoldfastEvent, attempt: Attempt, retryInMs: number | undefined) {
  const { eventId, eventType, occurredAt } = event;
  return { eventId, eventType, occurredAt, taken: isTaken(attempt), ...attempt, retryInMs };
}

function attemptLine(
  { occurredAt, eventType, eventId }: HoldfastEvent,
  attempt: Attempt,
  retryInMs: number | undefined,
  style: Terminal['style'],
): string {
  const took = style.dim(`${attempt.ms} ms`);
  const answer = attempt.status ?? attempt.reason;
  const outcome = isTaken(attempt)
    ? `${style.green(`→ ${answer}`)}  ${took}`
    : `${style.red(`✗ ${answer}`)}  ${took}  ${style.yellow(`again in ${spanText(retryInMs ?? 0)}`)}`;
  const time = style.dim(clockText(occurredAt));
  return `${time}  ${style.cyan(eventType.padEnd(TYPE_WIDTH))}  ${style.dim(eventId)}  ${outcome}`;
}
