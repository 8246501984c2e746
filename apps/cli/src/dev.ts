//! `holdfast dev`: the whole world on loopback, with a new database unless --keep.
import { openSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Command, Option } from 'commander';
import { endChildren } from './children.ts';
import { CommandFault, usageFault } from './command-fault.ts';
import { checkAlone, checkPort } from './dev/check-start.ts';
import { tailEvents } from './dev/event-tail.ts';
import { type EventScreen, openEventScreen, watchSteps, welcomeLines } from './dev/screen.ts';
import { endOnSignals } from './dev/signals.ts';
import { prepareFolder, removeDevState, writeDevState } from './dev/state-file.ts';
import { type LocalSet, type LocalSetOptions, startLocalSet } from './local-set.ts';
import { openTerminal, type Terminal } from './terminal/terminal.ts';

interface DevOptions {
  readonly port: number;
  readonly json?: boolean;
  readonly keep?: boolean;
  readonly postgres?: string;
  readonly seed?: 'demo' | 'none';
}

const PORT_USUAL = 4400;
const PORT_MAX = 65_535;
const LOG_LINES_MAX = 15;
/** Leaves time for what the api and the worker lean on. */
const SHUTDOWN_MS = '3000';
/** A person who plays a few stories in a minute is no flood; a program gets what is specified. */
const RATE_LIMIT = '1000';

export function devCommand(): Command {
  return new Command('dev')
    .description('start everything on this machine: PostgreSQL, Restate, sandbox, api and worker')
    .addOption(
      new Option('--port <number>', 'port of the API; 0 takes any free one')
        .argParser(readPort)
        .default(PORT_USUAL)
        .env('HOLDFAST_DEV_PORT'),
    )
    .option('--keep', 'keep database and keys in .holdfast from one run to the next')
    .addOption(
      new Option(
        '--postgres <which>',
        'embedded (the one that npm brings), system (one that is here already) or a URL',
      )
        .argParser(readPostgres)
        .env('HOLDFAST_DEV_POSTGRES'),
    )
    .addOption(
      new Option('--seed <what>', 'what a new database begins with').choices(['demo', 'none']),
    )
    .addHelpText(
      'after',
      '\nWith --json it says one line when everything is ready, and nothing else.',
    )
    .action((_options, command: Command) => runDev(command.optsWithGlobals()));
}

async function runDev(options: DevOptions): Promise<void> {
  const begunAt = performance.now();
  const folder = join(process.cwd(), '.holdfast');
  const { keep: isKept = false, json: isJson = false } = options;
  const { stdout, stderr, env } = process;
  const terminal = openTerminal({ stdout, stderr, env }, isJson);
  await checkPort(options.port, folder);
  if (isKept) checkAlone(folder);
  prepareFolder(folder);
  const log = join(folder, 'dev.log');
  const calledOff = new AbortController();
  if (!isJson) terminal.say('');
  const starting = startLocalSet({
    ...setOptions(options, terminal, folder, log),
    signal: calledOff.signal,
  });
  let isStarting = true;
  const ending = endOnSignals(async ({ isAsked }) => {
    calledOff.abort();
    if (isAsked && !isJson) terminal.say('', '  Stopping; Ctrl-C again ends it at once.');
    removeDevState(folder);
    // Nobody has begun to rely on them.
    if (isStarting) endChildren();
    await starting.then(
      (set) => set.stop(),
      () => undefined,
    );
  });
  const set = await starting.catch((error: Error) => {
    if (calledOff.signal.aborted) return FOREVER;
    throw startFault(error, isJson ? undefined : log);
  });
  isStarting = false;
  if (calledOff.signal.aborted) await FOREVER;
  writeDevState(folder, set);
  void set.lost.then((role) => {
    if (calledOff.signal.aborted) return;
    terminal.note(`  The ${role} has ended; the others are being stopped. The log: ${log}`);
    ending.end(1);
  });
  if (isJson) terminal.sayJsonLine(set.ready);
  else await welcome(terminal, set, { log, isKept, startMs: performance.now() - begunAt });
  const keptIn = isKept ? folder : undefined;
  await showLife(options, terminal, set, { signal: calledOff.signal, keptIn });
  await FOREVER;
}

/** A person watches the events, and has the demo unless it is declined; a program asks for it. */
async function showLife(
  { seed, json: isJson = false }: DevOptions,
  terminal: Terminal,
  set: LocalSet,
  { signal, keptIn }: { readonly signal: AbortSignal; readonly keptIn: string | undefined },
): Promise<void> {
  const hasDemo = (seed ?? (isJson ? 'none' : 'demo')) === 'demo';
  const events = openEventScreen(terminal, hasDemo);
  if (!isJson) void tailEvents({ ...set.ready, signal }, (event) => events.show(event));
  if (hasDemo) await sowDemo(terminal, set, events, keptIn);
}

/** A person sees the steps, and the log lies in a file; a program gets one line and the log. */
function setOptions(
  { port, postgres, keep: isKept = false, json: isJson = false }: DevOptions,
  terminal: Terminal,
  folder: string,
  log: string,
): LocalSetOptions {
  const { env } = process;
  return {
    port,
    postgres,
    env: {
      HOLDFAST_SHUTDOWN_MS: env['HOLDFAST_SHUTDOWN_MS'] ?? SHUTDOWN_MS,
      ...(isJson ? {} : { HOLDFAST_RATE_LIMIT: env['HOLDFAST_RATE_LIMIT'] ?? RATE_LIMIT }),
    },
    ...(isKept ? { keepIn: folder } : {}),
    ...(isJson ? {} : { watch: watchSteps(terminal), logTo: openSync(log, 'w', 0o600) }),
  };
}

/** A signal ends the process. */
const FOREVER = new Promise<never>(() => undefined);

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= PORT_MAX) return port;
  throw usageFault(`${text} is no port`, `it is a number up to ${PORT_MAX}; 0 takes any free one`);
}

function readPostgres(text: string): string {
  if (/^(embedded|system|postgres(ql)?:\/\/.*)$/.test(text)) return text;
  throw usageFault(`${text} names no PostgreSQL`, 'say embedded, system, or a postgres:// URL');
}

/** What the processes have said is often the reason. */
function startFault(error: Error, log: string | undefined): CommandFault {
  const lines = log === undefined ? [] : readFileSync(log, 'utf8').trimEnd().split('\n');
  const said = lines.slice(-LOG_LINES_MAX).join('\n');
  return new CommandFault(said === '' ? error.message : `${error.message}\n${said}`, {
    exit: 'failed',
    code: 'START_FAILED',
    cure: said === '' ? undefined : `all of the log: ${relative(process.cwd(), log ?? '')}`,
  });
}

async function welcome(
  terminal: Terminal,
  { ready }: LocalSet,
  facts: { readonly log: string; readonly isKept: boolean; readonly startMs: number },
): Promise<void> {
  const docs = `${ready.api}/docs/`;
  const isThere = await fetch(docs, { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  );
  const log = relative(process.cwd(), facts.log);
  terminal.say(
    ...welcomeLines(terminal, { ...facts, ready, log, docs: isThere ? docs : undefined }),
  );
}

/** Loaded only now: it is not what anybody waits for. */
async function sowDemo(
  terminal: Terminal,
  { ready }: LocalSet,
  events: EventScreen,
  keptIn: string | undefined,
): Promise<void> {
  const { seedOnce } = await import('./dev/seed.ts');
  const said = await seedOnce(terminal, ready, keptIn);
  if (terminal.isJson) return terminal.note(...said);
  const { orderId } = events;
  const look = orderId === undefined ? [] : [`  Look at one: npx holdfast explain ${orderId}`];
  terminal.say(...said, ...look, '');
  events.letGo();
}
