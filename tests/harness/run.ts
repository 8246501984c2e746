//! How every harness runs: it says its seed first and its verdict last, and ends with 0 or 1.
import { type Audited, runAuditor } from '../auditor/run-auditor.ts';
import { type Command, type Main, type Option, runCommand } from './options.ts';
import { say, wrongText } from './report.ts';
import { endAll } from './set.ts';

/** `run` gives what is wrong, line by line: nothing when all is sound. */
export async function runHarness<Options extends Readonly<Record<string, Option<unknown>>>>(
  command: Command<Options>,
  run: (options: Parameters<Main<Options>>[0]) => Promise<readonly string[]>,
): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, endAll);
  await runCommand(command, async (options) => {
    if ('seed' in options && 'seedFrom' in options)
      say(`seed ${String(options['seed'])} (${String(options['seedFrom'])})`);
    const wrong = await run(options);
    const verdict = wrong.length === 0 ? 'sound' : `${wrong.length} wrong`;
    say(`${wrongText(wrong)}${command.name.replace(/^.* /, '')}: ${verdict}`);
    return wrong.length === 0 ? 0 : 1;
  });
}

export interface AuditWishes {
  readonly databaseUrl: string;
  /** Its journal is held against the books, both ways; empty where there is none. */
  readonly sandbox?: string;
  /** Nothing may be in flight any more. */
  readonly isConverged?: boolean;
  readonly history?: string;
}

/** What the auditor finds wrong with what a run has left. */
export async function auditRun(wishes: AuditWishes): Promise<readonly string[]> {
  const { summary, faults } = await auditOnce(wishes);
  say(`auditor: ${summary}`);
  return faults;
}

export function auditOnce(wishes: AuditWishes): Promise<Audited> {
  const { databaseUrl, sandbox, isConverged, history } = wishes;
  return runAuditor([
    ...['--database', databaseUrl],
    ...(sandbox ? ['--sandbox', sandbox] : []),
    ...(isConverged ? ['--converged'] : []),
    ...(history === undefined ? [] : ['--history', history]),
  ]);
}
