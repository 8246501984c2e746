//! `holdfast trigger`: plays a whole story against the sandbox, so that its events happen.
import { type Command, Option } from 'commander';
import { usageFault } from '../command-fault.ts';
import { SCENARIOS } from '../scenarios/scenarios.ts';
import type { Scenario } from '../scenarios/stage.ts';
import { paintStatus } from '../terminal/style.ts';
import { spanText } from '../terminal/words.ts';
import { does, type ProgramWorld } from './run.ts';

interface TriggerOptions {
  readonly list?: boolean;
  readonly amount?: string;
}

export function triggerCommand(world: ProgramWorld, program: Command): void {
  const trigger = program
    .command('trigger [scenario]')
    .description('play a story: order.released, dispute.split, withdrawal.returned, …')
    .addOption(new Option('--list', 'every story there is'))
    .option('--amount <amount>', 'of the order, top-up or withdrawal');
  does<TriggerOptions>(world, trigger, async (run, options, name) => {
    const { terminal } = run;
    if (options.list || name === undefined) {
      if (terminal.isJson) return terminal.sayJson(asJson());
      for (const [each, { tells }] of Object.entries(SCENARIOS))
        terminal.say(`${terminal.style.cyan(each.padEnd(28))} ${tells}`);
      return;
    }
    const scenario = findScenario(name);
    const begun = performance.now();
    const steps: string[] = [];
    const played = await scenario.play({
      holdfast: run.holdfast(),
      sandbox: run.sandbox(),
      people: new Map(),
      amount: options.amount ?? scenario.amount,
      tell: (step) => {
        steps.push(step);
        terminal.progress.clear();
        if (!terminal.isJson) terminal.say(`  ${terminal.style.dim('·')} ${step}`);
        terminal.progress.show(name);
      },
    });
    terminal.progress.clear();
    const tookMs = Math.round(performance.now() - begun);
    if (terminal.isJson) return terminal.sayJson({ scenario: name, ...played, steps, tookMs });
    const { style } = terminal;
    const status = paintStatus(style, played.status);
    terminal.say(`${style.green('✓')} ${played.id}  ${status}  ${style.dim(spanText(tookMs))}`);
    terminal.note(terminal.noteStyle.dim(`  holdfast explain ${played.id}`));
  });
}

function asJson(): object[] {
  return Object.entries(SCENARIOS).map(([scenario, { tells, amount }]) => ({
    scenario,
    tells,
    amount,
  }));
}

function findScenario(name: string): Scenario {
  const found = Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined;
  if (found !== undefined) return found;
  const [group = ''] = name.split('.');
  const near = Object.keys(SCENARIOS).filter((each) => each.startsWith(`${group}.`));
  throw usageFault(
    `there is no story ${name}`,
    near.length > 0 ? `such are ${near.join(', ')}` : 'holdfast trigger --list shows all',
  );
}
