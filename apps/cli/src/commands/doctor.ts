//! `holdfast doctor`: names what is broken, and what cures it.
import type { Command } from 'commander';
import { type Found, runDoctor } from '../doctor/run-doctor.ts';
import { surroundingsOf } from '../doctor/surroundings.ts';
import type { Style } from '../terminal/style.ts';
import { countText } from '../terminal/words.ts';
import { does, type ProgramWorld } from './run.ts';

const NAME_WIDTH = 14;

export function doctorCommand(world: ProgramWorld, program: Command): void {
  const doctor = program
    .command('doctor')
    .description('name what is broken, and what cures it')
    .option('--database <url>', 'look at this PostgreSQL too; DATABASE_URL when absent');
  does<{ database?: string }>(world, doctor, async (run, options) => {
    const { terminal } = run;
    const { HOLDFAST_PUBLIC_URL, HOLDFAST_PORT = '4400' } = world.env;
    const usual = HOLDFAST_PUBLIC_URL ?? `http://127.0.0.1:${HOLDFAST_PORT}`;
    const { url, apiKey, masterKey, sandbox, settings, from } = run.place(usual);
    if (!terminal.isJson) terminal.say(`Holdfast at ${url} (${from})`, '');
    terminal.progress.show('looking');
    const surroundings = await surroundingsOf({
      url,
      apiKey,
      masterKey,
      sandbox,
      settings,
      databaseUrl: options.database,
      clock: world.clock,
    });
    const all = await runDoctor(surroundings, (found) => {
      terminal.progress.clear();
      if (!terminal.isJson) terminal.say(...foundLines(found, terminal.style));
      terminal.progress.show('looking');
    });
    terminal.progress.clear();
    const faults = all.filter(({ status }) => status === 'fault');
    if (terminal.isJson) terminal.sayJson({ ok: faults.length === 0, url, checks: all });
    else terminal.say('', verdict(faults.length, terminal.style));
    return faults.length === 0 ? 'ok' : 'failed';
  });
}

function verdict(faults: number, style: Style): string {
  if (faults === 0) return style.green('Nothing is wrong with what was looked at.');
  return style.red(`${countText(faults, 'fault')}.`);
}

function foundLines(found: Found, style: Style): string[] {
  const name = found.name.padEnd(NAME_WIDTH);
  switch (found.status) {
    case 'ok':
      return [`  ${style.green('✓')} ${name}${found.says}`];
    case 'skipped':
      return [style.dim(`  – ${name}${found.says}`)];
    case 'fault':
      return [
        `  ${style.red('✗')} ${style.bold(name)}${found.says} ${style.dim(`(${found.fault})`)}`,
        `    ${' '.repeat(NAME_WIDTH)}→ ${found.cure}`,
      ];
  }
}
