//! `holdfast dev`: starts the whole local set on loopback, with a new database unless --keep.
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
import { COMMAND } from './entries.ts';
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
/** Leaves time to stop the dependencies of api and worker afterwards. */
const SHUTDOWN_MS = '3000';
/** A laptop at work on something else pauses for seconds: a response then comes late, not 503. */
const POOL_WAIT_MS = '15000';
/**
 * A person who runs a few scenarios in a minute is not limited; a program has the specified limit.
 */
const RATE_LIMIT = '1000';

export function devCommand(): Command {
  return new Command('dev')
    .description('start a local server: PostgreSQL, Restate, sandbox, API and worker')
    .addOption(
      new Option('--port <number>', 'port of the API; 0 for any free port')
        .argParser(readPort)
        .default(PORT_USUAL)
        .env('HOLDFAST_DEV_PORT'),
    )
    .option('--keep', 'keep the database and keys in .holdfast between runs')
    .addOption(
      new Option(
        '--postgres <which>',
        'PostgreSQL to use: embedded (installed by npm), system (installed on this machine) or a URL (default: DATABASE_URL, a running server, or embedded)',
      )
        .argParser(readPostgres)
        .env('HOLDFAST_DEV_POSTGRES'),
    )
    .addOption(
      new Option(
        '--seed <what>',
        'initial data of a new database (default: demo; with --json: none)',
      ).choices(['demo', 'none']),
    )
    .addHelpText('after', '\nWith --json, prints one line when the server is ready.')
    .action((_options, command: Command) => runDev(command.optsWithGlobals()));
}

async function runDev(options: DevOptions): Promise<void> {
  const startedAt = performance.now();
  const folder = join(process.cwd(), '.holdfast');
  const { keep: isPersistent = false, json: isJson = false } = options;
  const { stdout, stderr, env } = process;
  const terminal = openTerminal({ stdout, stderr, env }, isJson);
  await checkPort(options.port, folder);
  if (isPersistent) checkAlone(folder);
  prepareFolder(folder);
  const log = join(folder, 'dev.log');
  const calledOff = new AbortController();
  if (!isJson) terminal.print('');
  let isStarting = true;
  // Before any process is started: a signal that comes then would leave its folder behind.
  const ending = endOnSignals(async ({ isRequested }) => {
    calledOff.abort();
    if (isRequested && !isJson)
      terminal.print('', '  Stopping. Press Ctrl-C again to stop immediately.');
    removeDevState(folder);
    // No caller relies on them yet.
    if (isStarting) endChildren();
    await starting.then(
      (set) => set.stop(),
      () => undefined,
    );
  });
  const starting = startLocalSet({
    ...setOptions(options, terminal, folder, log),
    signal: calledOff.signal,
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
    terminal.printStderr(
      `  The ${role} process exited unexpectedly; stopping all processes. See the log: ${log}`,
    );
    ending.end(1);
  });
  if (isJson) terminal.printJsonLine(set.ready);
  else await welcome(terminal, set, { log, isPersistent, startMs: performance.now() - startedAt });
  const stateFolder = isPersistent ? folder : undefined;
  await showLife(options, terminal, set, { signal: calledOff.signal, stateFolder });
  await FOREVER;
}

/** A person sees the events, and gets the demo unless it is declined; a program must request it. */
async function showLife(
  { seed, json: isJson = false }: DevOptions,
  terminal: Terminal,
  set: LocalSet,
  {
    signal,
    stateFolder,
  }: { readonly signal: AbortSignal; readonly stateFolder: string | undefined },
): Promise<void> {
  const hasDemo = (seed ?? (isJson ? 'none' : 'demo')) === 'demo';
  const events = openEventScreen(terminal, hasDemo);
  if (!isJson) void tailEvents({ ...set.ready, signal }, (event) => events.show(event));
  if (hasDemo) await seedDemo(terminal, set, events, stateFolder);
}

/** A person sees the steps, and the log lies in a file; a program gets one line and the log. */
function setOptions(
  { port, postgres, keep: isPersistent = false, json: isJson = false }: DevOptions,
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
      HOLDFAST_POOL_WAIT_MS: env['HOLDFAST_POOL_WAIT_MS'] ?? POOL_WAIT_MS,
      ...(isJson ? {} : { HOLDFAST_RATE_LIMIT: env['HOLDFAST_RATE_LIMIT'] ?? RATE_LIMIT }),
    },
    ...(isPersistent ? { stateFolder: folder } : {}),
    ...(isJson ? {} : { watch: watchSteps(terminal), logTo: openSync(log, 'w', 0o600) }),
  };
}

/** A signal ends the process. */
const FOREVER = new Promise<never>(() => undefined);

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= PORT_MAX) return port;
  throw usageFault(`invalid port ${text}`, `use a number up to ${PORT_MAX}; 0 for any free port`);
}

function readPostgres(text: string): string {
  if (/^(embedded|system|postgres(ql)?:\/\/.*)$/.test(text)) return text;
  throw usageFault(`invalid --postgres ${text}`, 'use embedded, system or a postgres:// URL');
}

/** The last output of the processes is often the reason. */
function startFault(error: Error, log: string | undefined): CommandFault {
  const lines = log === undefined ? [] : readFileSync(log, 'utf8').trimEnd().split('\n');
  const output = lines.slice(-LOG_LINES_MAX).join('\n');
  return new CommandFault(output === '' ? error.message : `${error.message}\n${output}`, {
    exit: 'failed',
    code: 'START_FAILED',
    fix: output === '' ? undefined : `full log: ${relative(process.cwd(), log ?? '')}`,
  });
}

async function welcome(
  terminal: Terminal,
  { ready }: LocalSet,
  facts: { readonly log: string; readonly isPersistent: boolean; readonly startMs: number },
): Promise<void> {
  const sites = [`${ready.api}/docs/`, `${ready.api}/console/`];
  const [docs, console] = await Promise.all(sites.map(ifServed));
  const log = relative(process.cwd(), facts.log);
  terminal.print(...welcomeLines(terminal, { ...facts, ready, log, docs, console }));
}

/** A checkout may not have built it: an address that is not there is not printed. */
function ifServed(url: string): Promise<string | undefined> {
  return fetch(url, { method: 'HEAD' }).then(
    ({ ok }) => (ok ? url : undefined),
    () => undefined,
  );
}

/** Loaded late: the start does not wait for it. */
async function seedDemo(
  terminal: Terminal,
  { ready }: LocalSet,
  events: EventScreen,
  stateFolder: string | undefined,
): Promise<void> {
  const { seedOnce } = await import('./dev/seed.ts');
  const output = await seedOnce(terminal, ready, stateFolder);
  if (terminal.isJson) return terminal.printStderr(...output);
  const { orderId } = events;
  const hint = orderId === undefined ? [] : [`  Try: ${COMMAND} explain ${orderId}`];
  terminal.print(...output, ...hint, '');
  events.release();
}
