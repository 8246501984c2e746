//! `holdfast clock` and `holdfast fault`: the pretend world, told what to do.

import { FAULT_KINDS, FAULT_OPERATIONS } from '@holdfast/contract/sandbox-faults';
import type { Command } from 'commander';
import type { ArmedFault } from '../scenarios/sandbox.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { spanText, timeText } from '../terminal/words.ts';
import { does, type ProgramWorld, type Run, secondsIn } from './run.ts';

export function clockCommand(world: ProgramWorld, program: Command): void {
  const clock = program.command('clock').description('the clock of the sandbox, which all follow');
  does(world, clock.command('now').description('what time it is there'), async (run) =>
    showClock(run, await run.sandbox().clock()),
  );
  const advance = clock
    .command('advance <span>')
    .description('set it forward, such as 90s, 15m, 36h, 14d or 2w');
  does(world, advance, async (run, _, span) => {
    const seconds = secondsIn(span);
    showClock(run, await run.sandbox().advance(seconds));
  });
}

function showClock({ terminal }: Run, clock: { now: string; offsetMs: number }): void {
  const ahead = clock.offsetMs === 0 ? 'as here' : `${spanText(clock.offsetMs)} ahead of here`;
  terminal.show(clock, () => [`${timeText(clock.now)} UTC, ${ahead}`]);
}

const COLUMNS: readonly Column<ArmedFault>[] = [
  { head: 'PROVIDER', of: ({ provider }) => provider },
  { head: 'OPERATION', of: ({ operation }) => operation },
  { head: 'KIND', of: ({ kind }) => kind },
  { head: 'TIMES', of: ({ times }) => String(times), isRight: true },
];

export function faultCommand(world: ProgramWorld, program: Command): void {
  const fault = program.command('fault').description('how providers and network fail next');
  does(world, fault.command('kinds').description('what can be set'), async ({ terminal }) => {
    if (terminal.isJson)
      return terminal.sayJson({ kinds: FAULT_KINDS, operations: FAULT_OPERATIONS });
    const { style } = terminal;
    for (const [provider, operations] of Object.entries(FAULT_OPERATIONS))
      terminal.say(`${style.bold(provider.padEnd(9))} ${operations.join(', ')}`);
    terminal.say('');
    for (const [kind, tells] of Object.entries(FAULT_KINDS))
      terminal.say(`${style.cyan(kind.padEnd(18))} ${tells}`);
  });
  does(world, fault.command('list').description('what is set'), async (run) => {
    const armed = await run.sandbox().faults();
    if (run.terminal.isJson) return run.terminal.sayJson(armed);
    if (armed.length === 0) return run.terminal.note('none');
    run.terminal.say(...tableLines(armed, COLUMNS, run.terminal.style));
  });
  const set = fault
    .command('set <provider> <operation> <kind>')
    .description('the next such step fails like that; see `fault kinds`')
    .option('--times <count>', 'how often', '1');
  does<{ times: string }>(world, set, async (run, { times }, provider, operation, kind) => {
    const wish = { provider, operation: operation ?? '', kind: kind ?? '', times: Number(times) };
    const armed = await run.sandbox().arm(wish);
    if (run.terminal.isJson) return run.terminal.sayJson(armed);
    run.terminal.say(...tableLines([armed], COLUMNS, run.terminal.style));
  });
  does(world, fault.command('clear').description('none is set any more'), async (run) => {
    await run.sandbox().disarm();
    if (run.terminal.isJson) run.terminal.sayJson([]);
  });
}
