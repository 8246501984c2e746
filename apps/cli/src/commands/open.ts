//! `holdfast open`: documents, console or sandbox in the browser.
import { spawn } from 'node:child_process';
import { Argument, type Command } from 'commander';
import { CommandFault, usageFault } from '../command-fault.ts';
import { does, type ProgramWorld, type Run } from './run.ts';

const RESPONSE_TIMEOUT_MS = 5000;

export function openCommand(world: ProgramWorld, program: Command): void {
  const open = program
    .command('open')
    .description('open the docs, console or sandbox in the browser and print the URL')
    .addArgument(new Argument('<page>').choices(['docs', 'console', 'sandbox']));
  does(world, open, async (run, _, what) => {
    const url = addressOf(run, what);
    await checkServed(url, what);
    if (run.terminal.isJson) return run.terminal.printJson({ url });
    run.terminal.print(url);
    // A script prints the address only: its browser window would have no viewer.
    if (world.stdout.isTTY === true) launch(url);
  });
}

async function checkServed(url: string, what: string): Promise<void> {
  const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
  const status = await fetch(url, { signal }).then(
    async (response) => {
      await response.body?.cancel();
      return response.status;
    },
    () => undefined,
  );
  if (status !== undefined && status < 400) return;
  const exit = status === undefined ? 'unreachable' : 'notFound';
  throw new CommandFault(`the ${what} ${isOrAre(what)} not available at ${url}`, {
    exit,
    code: 'NOT_SERVED',
    fix: 'check that the server is running with `holdfast doctor`',
  });
}

const isOrAre = (what: string) => (what === 'docs' ? 'are' : 'is');

function addressOf(run: Run, what: string): string {
  const { url, sandbox } = run.server();
  if (what === 'docs') return `${url}/docs/`;
  if (what === 'console') return `${url}/console/`;
  if (sandbox === undefined) throw usageFault('no sandbox found', 'start one with `holdfast dev`');
  return `${sandbox}/`;
}

const PROGRAMS: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' };

function launch(url: string): void {
  const program = PROGRAMS[process.platform] ?? 'xdg-open';
  const child = spawn(program, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
