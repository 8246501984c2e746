//! `holdfast doctor`: diagnoses a server and suggests fixes.
import type { Command } from 'commander';
import { withFiles } from '../deployment/named-file.ts';
import { type Found, runDoctor } from '../doctor/run-doctor.ts';
import { surroundingsOf } from '../doctor/surroundings.ts';
import type { Style } from '../terminal/style.ts';
import { countText } from '../terminal/words.ts';
import { does, type ProgramWorld } from './run.ts';

const NAME_WIDTH = 14;

export function doctorCommand(world: ProgramWorld, program: Command): void {
  const doctor = program
    .command('doctor')
    .description('diagnose a server and suggest fixes')
    .option('--database <url>', 'also check this PostgreSQL database (default: DATABASE_URL)');
  does<{ database?: string }>(world, doctor, async (run, options) => {
    const { terminal } = run;
    const { HOLDFAST_PUBLIC_URL, HOLDFAST_PORT = '4400' } = world.env;
    const usual = HOLDFAST_PUBLIC_URL ?? `http://127.0.0.1:${HOLDFAST_PORT}`;
    const { url, apiKey, masterKey, sandbox, settings, from } = run.server(usual);
    if (!terminal.isJson) terminal.print(`Checking Holdfast at ${url} (${from})`, '');
    terminal.progress.show('checking');
    const surroundings = await surroundingsOf({
      url,
      apiKey,
      masterKey,
      sandbox,
      settings: withFiles(settings),
      databaseUrl: options.database,
      clock: world.clock,
    });
    const all = await runDoctor(surroundings, (found) => {
      terminal.progress.clear();
      if (!terminal.isJson) terminal.print(...foundLines(found, terminal.style));
      terminal.progress.show('checking');
    });
    terminal.progress.clear();
    const faults = all.filter(({ status }) => status === 'fault');
    if (terminal.isJson) terminal.printJson({ ok: faults.length === 0, url, checks: all });
    else terminal.print('', verdict(faults.length, terminal.style));
    return faults.length === 0 ? 'ok' : 'failed';
  });
}

function verdict(faults: number, style: Style): string {
  if (faults === 0) return style.green('No problems found.');
  return style.red(`${countText(faults, 'problem')} found.`);
}

function foundLines(found: Found, style: Style): string[] {
  const name = found.name.padEnd(NAME_WIDTH);
  switch (found.status) {
    case 'ok':
      return [`  ${style.green('✓')} ${name}${found.message}`];
    case 'skipped':
      return [style.dim(`  – ${name}${found.message}`)];
    case 'fault':
      return [
        `  ${style.red('✗')} ${style.bold(name)}${found.message} ${style.dim(`(${found.fault})`)}`,
        `    ${' '.repeat(NAME_WIDTH)}→ ${found.fix}`,
      ];
  }
}
