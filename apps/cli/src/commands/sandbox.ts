//! `holdfast clock` and `holdfast fault`: control the sandbox.

import { FAULT_KINDS, FAULT_OPERATIONS } from '@holdfast/contract/sandbox-faults';
import type { Command } from 'commander';
import type { ArmedFault } from '../scenarios/sandbox.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { spanText, timeText } from '../terminal/words.ts';
import { does, type ProgramWorld, type Run, secondsIn } from './run.ts';

export function clockCommand(world: ProgramWorld, program: Command): void {
  const clock = program.command('clock').description('read or advance the sandbox clock');
  does(world, clock.command('now').description('show the sandbox time'), async (run) =>
    showClock(run, await run.sandbox().clock()),
  );
  const advance = clock
    .command('advance <duration>')
    .description('advance the clock by a duration such as 90s, 15m, 36h, 14d or 2w');
  does(world, advance, async (run, _, span) => {
    const seconds = secondsIn(span);
    showClock(run, await run.sandbox().advance(seconds));
  });
}

function showClock({ terminal }: Run, clock: { now: string; offsetMs: number }): void {
  const ahead =
    clock.offsetMs === 0
      ? 'same as system time'
      : `${spanText(clock.offsetMs)} ahead of system time`;
  terminal.show(clock, () => [`${timeText(clock.now)}, ${ahead}`]);
}

const COLUMNS: readonly Column<ArmedFault>[] = [
  { head: 'PROVIDER', of: ({ provider }) => provider },
  { head: 'OPERATION', of: ({ operation }) => operation },
  { head: 'KIND', of: ({ kind }) => kind },
  { head: 'CALLS LEFT', of: ({ times }) => String(times), isRight: true },
];

export function faultCommand(world: ProgramWorld, program: Command): void {
  const fault = program
    .command('fault')
    .description('inject faults into the sandbox providers and the sandbox Stellar network');
  does(
    world,
    fault.command('kinds').description('list fault kinds and operations'),
    async ({ terminal }) => {
      if (terminal.isJson)
        return terminal.printJson({ kinds: FAULT_KINDS, operations: FAULT_OPERATIONS });
      const { style } = terminal;
      for (const [provider, operations] of Object.entries(FAULT_OPERATIONS))
        terminal.print(`${style.bold(provider.padEnd(9))} ${operations.join(', ')}`);
      terminal.print('');
      for (const [kind, summary] of Object.entries(FAULT_KINDS))
        terminal.print(`${style.cyan(kind.padEnd(18))} ${summary}`);
    },
  );
  does(world, fault.command('list').description('list active faults'), async (run) => {
    const armed = await run.sandbox().faults();
    if (run.terminal.isJson) return run.terminal.printJson(armed);
    if (armed.length === 0)
      return run.terminal.printStderr('No active faults. Set one with `holdfast fault set`.');
    run.terminal.print(...tableLines(armed, COLUMNS, run.terminal.style));
  });
  const set = fault
    .command('set <provider> <operation> <kind>')
    .description('inject a fault into the next calls of an operation; see `holdfast fault kinds`')
    .option('--times <count>', 'number of calls affected', '1');
  does<{ times: string }>(world, set, async (run, { times }, provider, operation, kind) => {
    const input = { provider, operation: operation ?? '', kind: kind ?? '', times: Number(times) };
    const armed = await run.sandbox().arm(input);
    if (run.terminal.isJson) return run.terminal.printJson(armed);
    run.terminal.print(...tableLines([armed], COLUMNS, run.terminal.style));
  });
  does(world, fault.command('clear').description('clear all faults'), async (run) => {
    await run.sandbox().disarm();
    if (run.terminal.isJson) return run.terminal.printJson([]);
    run.terminal.print('All faults cleared.');
  });
}
