//! `holdfast listen`: sends events to a local handler as production would, and stores its cursor.
import type { HoldfastEvent } from '@holdfast/sdk';
import type { Command } from 'commander';
import { usageFault } from '../command-fault.ts';
import { cursorFile } from '../listen/cursor-file.ts';
import { type Attempt, isTaken } from '../listen/forward.ts';
import { BEGINNING, forwardEvents, type Watch } from '../listen/forward-events.ts';
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
    .description('forward signed events to your webhook handler; resumes after a restart')
    .requiredOption(
      '--forward-to <url>',
      'URL of your handler, such as http://localhost:3000/webhooks',
    )
    .option(
      '--types <types>',
      'only these event types, such as order.released,dispute.* (default: all)',
    )
    .option(
      '--from <position>',
      'start position: cursor (where the last run stopped), now, beginning, a time or an event id',
      'cursor',
    )
    .option('--secret <whsec>', 'signing secret (default: a secret stored in .holdfast)');
  does<ListenOptions>(world, listen, async (run, options) => {
    const { terminal, signal } = run;
    const types = readTypes(options.types);
    const forwardTo = readHandlerUrl(options.forwardTo);
    const secret = options.secret ? readSecret(options.secret) : listenSecret(world.folder);
    const holdfast = run.holdfast();
    const { marketplaceId } = await holdfast.keys.current();
    const route = { from: holdfast.baseUrl, to: forwardTo, whose: marketplaceId };
    const cursor = cursorFile(world.folder, route);
    const saved = options.from === 'cursor' ? cursor.read() : undefined;
    const from = saved ?? (await cursorFor(run, options.from));
    // Stored now: a run that ends before its first event still starts here the next time.
    cursor.write(from);
    const watch = watchOn(terminal);
    const start = { forwardTo, marketplaceId, secret, from, resumes: saved !== undefined };
    printStart(terminal, start);
    const { clock } = world;
    await forwardEvents({ holdfast, forwardTo, secret, cursor, from, types, signal, clock, watch });
    if (!terminal.isJson)
      terminal.printStderr('', `Stopped. The next run resumes from ${cursor.read()}.`);
  });
}

function cursorFor(run: Run, from: string): Promise<string> | string {
  if (from === 'beginning') return BEGINNING;
  return from === 'cursor' || from === 'now' ? run.holdfast().events.now() : from;
}

function readHandlerUrl(text: string): string {
  const url = /^\d+$/.test(text) ? `http://127.0.0.1:${text}/` : text;
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return new URL(url).href;
  throw usageFault(
    `invalid handler URL ${text}`,
    'use a URL such as http://localhost:3000/webhooks',
  );
}

interface Start {
  readonly forwardTo: string;
  readonly marketplaceId: string;
  readonly secret: string;
  readonly from: string;
  readonly resumes: boolean;
}

function printStart(terminal: Terminal, start: Start): void {
  if (terminal.isJson) {
    terminal.printJsonLine({ listening: true, ...start });
    return;
  }
  const { style } = terminal;
  const { forwardTo, marketplaceId, secret, from, resumes } = start;
  terminal.print(
    `Forwarding events of ${marketplaceId} to ${style.bold(forwardTo)}`,
    `  ${style.dim('secret')}  ${secret}`,
    `  ${style.dim('from')}    ${from === BEGINNING ? 'the beginning' : from}${resumes ? style.dim(' (where the last run stopped)') : ''}`,
    '',
  );
}

function watchOn(terminal: Terminal): Watch {
  const { style, stderrStyle } = terminal;
  let wasConnected = false;
  return {
    connected: () => {
      if (wasConnected && !terminal.isJson)
        terminal.printStderr(stderrStyle.green('  reconnected'));
      wasConnected = true;
      terminal.progress.show('waiting for events');
    },
    disconnected: (why, retryInMs) => {
      terminal.progress.clear();
      if (terminal.isJson) return terminal.printJsonLine({ disconnected: why, retryInMs });
      terminal.printStderr(stderrStyle.yellow(`  ${why}; reconnecting in ${spanText(retryInMs)}`));
    },
    gap: (retainedSince) => {
      terminal.progress.clear();
      if (terminal.isJson) return terminal.printJsonLine({ gap: true, retainedSince });
      terminal.printStderr(
        stderrStyle.red(
          `✗ events before ${retainedSince} were missed: they are no longer retained`,
        ),
        '  → reload the affected records through the API; forwarding continues',
      );
    },
    attempted: (event, attempt, retryInMs) => {
      terminal.progress.clear();
      if (terminal.isJson) terminal.printJsonLine(attemptJson(event, attempt, retryInMs));
      else terminal.print(attemptLine(event, attempt, retryInMs, style));
      terminal.progress.show('waiting for events');
    },
  };
}

function attemptJson(event: HoldfastEvent, attempt: Attempt, retryInMs: number | undefined) {
  const { eventId, eventType, occurredAt } = event;
  return { eventId, eventType, occurredAt, delivered: isTaken(attempt), ...attempt, retryInMs };
}

function attemptLine(
  { occurredAt, eventType, eventId }: HoldfastEvent,
  attempt: Attempt,
  retryInMs: number | undefined,
  style: Terminal['style'],
): string {
  const took = style.dim(`${attempt.ms} ms`);
  const result = attempt.status ?? attempt.reason;
  const outcome = isTaken(attempt)
    ? `${style.green(`→ ${result}`)}  ${took}`
    : `${style.red(`✗ ${result}`)}  ${took}  ${style.yellow(`retrying in ${spanText(retryInMs ?? 0)}`)}`;
  const time = style.dim(clockText(occurredAt));
  return `${time}  ${style.cyan(eventType.padEnd(TYPE_WIDTH))}  ${style.dim(eventId)}  ${outcome}`;
}
