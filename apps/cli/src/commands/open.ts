//! `holdfast open`: documents, console or sandbox in the browser.
import { spawn } from 'node:child_process';
import { Argument, type Command } from 'commander';
import { CommandFault, usageFault } from '../command-fault.ts';
import { does, type ProgramWorld, type Run } from './run.ts';

const ANSWER_MS_MAX = 5000;

export function openCommand(world: ProgramWorld, program: Command): void {
  const open = program
    .command('open')
    .description('docs, console or sandbox in the browser; prints the address')
    .addArgument(new Argument('<what>').choices(['docs', 'console', 'sandbox']));
  does(world, open, async (run, _, what) => {
    const url = addressOf(run, what);
    await checkServed(url, what);
    if (run.terminal.isJson) return run.terminal.sayJson({ url });
    run.terminal.say(url);
    // Nobody looks at a browser that a script has opened.
    if (world.stdout.isTTY === true) launch(url);
  });
}

async function checkServed(url: string, what: string): Promise<void> {
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  const status = await fetch(url, { signal }).then(
    async (answer) => {
      await answer.body?.cancel();
      return answer.status;
    },
    () => undefined,
  );
  if (status !== undefined && status < 400) return;
  const exit = status === undefined ? 'unreachable' : 'notFound';
  throw new CommandFault(`no ${what} at ${url}`, { exit, code: 'NOT_SERVED' });
}

function addressOf(run: Run, what: string): string {
  const { url, sandbox } = run.place();
  if (what === 'docs') return `${url}/docs/`;
  if (what === 'console') return `${url}/console/`;
  if (sandbox === undefined)
    throw usageFault('no sandbox is known here', 'it runs with `holdfast dev`');
  return `${sandbox}/`;
}

const PROGRAMS: Readonly<Record<string, string>> = { darwin: 'open', win32: 'explorer' };

function launch(url: string): void {
  const program = PROGRAMS[process.platform] ?? 'xdg-open';
  const child = spawn(program, [url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
