//! `holdfast trigger`: runs a scenario against the sandbox, so that its events occur.
import { type Command, Option } from 'commander';
import { usageFault } from '../command-fault.ts';
import { COMMAND } from '../entries.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { SCENARIOS } from '../scenarios/scenarios.ts';
import { paintStatus } from '../terminal/style.ts';
import { similarTo, spanText } from '../terminal/words.ts';
import { does, type ProgramWorld } from './run.ts';

interface TriggerOptions {
  readonly list?: boolean;
  readonly amount?: string;
}

export function triggerCommand(world: ProgramWorld, program: Command): void {
  const trigger = program
    .command('trigger [scenario]')
    .description(
      'run a test scenario in the sandbox: order.released, dispute.split, withdrawal.undelivered, …',
    )
    .addOption(new Option('--list', 'list all scenarios'))
    .option('--amount <amount>', 'amount in USD of the order, top-up or withdrawal');
  does<TriggerOptions>(world, trigger, async (run, options, name) => {
    const { terminal } = run;
    if (options.list || name === undefined) {
      if (terminal.isJson) return terminal.printJson(asJson());
      for (const [each, { summary }] of Object.entries(SCENARIOS))
        terminal.print(`${terminal.style.cyan(each.padEnd(28))} ${summary}`);
      return;
    }
    const scenario = findScenario(name);
    const startedAt = performance.now();
    const steps: string[] = [];
    const result = await scenario.run({
      holdfast: run.holdfast(),
      sandbox: run.sandbox(),
      people: new Map(),
      amount: options.amount ?? scenario.amount,
      report: (step) => {
        steps.push(step);
        terminal.progress.clear();
        if (!terminal.isJson) terminal.print(`  ${terminal.style.dim('·')} ${step}`);
        terminal.progress.show(name);
      },
    });
    terminal.progress.clear();
    const tookMs = Math.round(performance.now() - startedAt);
    if (terminal.isJson) return terminal.printJson({ scenario: name, ...result, steps, tookMs });
    const { style } = terminal;
    const status = paintStatus(style, result.status);
    terminal.print(`${style.green('✓')} ${result.id}  ${status}  ${style.dim(spanText(tookMs))}`);
    terminal.printStderr(terminal.stderrStyle.dim(`  Next: ${COMMAND} explain ${result.id}`));
  });
}

function asJson(): object[] {
  return Object.entries(SCENARIOS).map(([scenario, { summary, amount }]) => ({
    scenario,
    description: summary,
    amount,
  }));
}

function findScenario(name: string): Scenario {
  const found = Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(SCENARIOS);
  const similar = similarTo(name, names);
  if (similar !== undefined)
    throw usageFault(`unknown scenario ${name}`, `Did you mean ${similar}?`);
  const [group = ''] = name.split('.');
  const near = names.filter((each) => each.startsWith(`${group}.`));
  throw usageFault(
    `unknown scenario ${name}`,
    near.length > 0
      ? `scenarios: ${near.join(', ')}`
      : 'list all scenarios with `holdfast trigger --list`',
  );
}
