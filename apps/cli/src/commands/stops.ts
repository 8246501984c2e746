//! `holdfast stops`: stops a marketplace, shows its stops, and lifts them.
import { STOP_LEVELS } from '@holdfast/contract/enums';
import type { MarketplaceStop } from '@holdfast/sdk';
import type { Command } from 'commander';
import { usageFault } from '../command-fault.ts';
import { type Column, tableLines } from '../terminal/table.ts';
import { timeText } from '../terminal/words.ts';
import { does, type ProgramWorld, type Run } from './run.ts';
import { showRecord } from './show.ts';

const COLUMNS: readonly Column<MarketplaceStop>[] = [
  { head: 'LEVEL', of: ({ level }) => level },
  { head: 'SINCE', of: ({ stoppedAt }) => timeText(stoppedAt) },
  { head: 'SETTLED', of: ({ settledAt }) => timeText(settledAt) },
  { head: 'LIFTED', of: ({ liftedAt }) => timeText(liftedAt) },
  { head: 'BY', of: ({ stoppedBy }) => stoppedBy },
  { head: 'REASON', of: ({ reason }) => reason },
];

type Level = MarketplaceStop['level'];
interface Reason {
  readonly reason: string;
}

export function stopsCommand(world: ProgramWorld, program: Command): void {
  const stops = program
    .command('stops')
    .description('stop a marketplace, show its stops and lift them (requires the master key)');
  const list = stops.command('list <mkt>').description('list stops, first those that stand');
  does(world, list, async (run, _, marketplaceId) => {
    const { standing, lifted } = await run.master().marketplaces.listStops(marketplaceId ?? '');
    const { terminal } = run;
    const rows = [...standing, ...lifted];
    if (terminal.isJson) return terminal.printJson({ standing, lifted });
    if (rows.length === 0) return terminal.printStderr('No stop was ever set.');
    terminal.print(...tableLines(rows, COLUMNS, terminal.style));
  });
  const set = stops
    .command('set <mkt> <level>')
    .description(
      'stop at a level: payouts, money or signing; waits until the stop holds everywhere',
    )
    .requiredOption('--reason <text>', 'why; rejected calls return it');
  does<Reason>(world, set, async (run, { reason }, marketplaceId, level) => {
    const input = { level: levelOf(level), reason };
    showStop(run, await run.master().marketplaces.stop(marketplaceId ?? '', input));
  });
  const lift = stops
    .command('lift <mkt> <level>')
    .description('lift the stop of a level')
    .requiredOption('--reason <text>', 'why');
  does<Reason>(world, lift, async (run, { reason }, marketplaceId, level) => {
    const input = { level: levelOf(level), reason };
    showStop(run, await run.master().marketplaces.liftStop(marketplaceId ?? '', input));
  });
}

function levelOf(text: string | undefined): Level {
  const level = STOP_LEVELS.find((each) => each === text?.toUpperCase());
  if (level !== undefined) return level;
  throw usageFault(`${text} is not a level: payouts, money or signing`);
}

function showStop(run: Run, stop: MarketplaceStop): void {
  showRecord(run, { ...stop, id: stop.marketplaceId }, [
    ['level', stop.level],
    ['reason', stop.reason],
    ['since', timeText(stop.stoppedAt)],
    ['settled', timeText(stop.settledAt)],
    ['lifted', timeText(stop.liftedAt)],
  ]);
}
