//! Runs a harness: prints its seed first and its verdict last, and exits with 0 or 1.
import { type Audited, runAuditor } from '../auditor/run-auditor.ts';
import { type Command, type Main, type Option, runCommand } from './options.ts';
import { print, wrongText } from './report.ts';
import { endAll } from './set.ts';

/** `run` returns the faults, one per line; none if the run passed. */
export async function runHarness<Options extends Readonly<Record<string, Option<unknown>>>>(
  command: Command<Options>,
  run: (options: Parameters<Main<Options>>[0]) => Promise<readonly string[]>,
): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, endAll);
  await runCommand(command, async (options) => {
    if ('seed' in options && 'seedFrom' in options)
      print(`seed ${String(options['seed'])} (${String(options['seedFrom'])})`);
    const wrong = await run(options);
    const verdict = wrong.length === 0 ? 'sound' : `${wrong.length} wrong`;
    print(`${wrongText(wrong)}${command.name.replace(/^.* /, '')}: ${verdict}`);
    return wrong.length === 0 ? 0 : 1;
  });
}

export interface AuditOptions {
  readonly databaseUrl: string;
  /** The auditor compares its journal with the books in both directions; empty if there is none. */
  readonly sandbox?: string;
  /** If true, nothing may be in flight any more. */
  readonly isConverged?: boolean;
  readonly history?: string;
}

/** The faults that the auditor finds in the data of a run. */
export async function auditRun(options: AuditOptions): Promise<readonly string[]> {
  const { summary, faults } = await auditOnce(options);
  print(`auditor: ${summary}`);
  return faults;
}

export function auditOnce(options: AuditOptions): Promise<Audited> {
  const { databaseUrl, sandbox, isConverged, history } = options;
  return runAuditor([
    ...['--database', databaseUrl],
    ...(sandbox ? ['--sandbox', sandbox] : []),
    ...(isConverged ? ['--converged'] : []),
    ...(history === undefined ? [] : ['--history', history]),
  ]);
}
