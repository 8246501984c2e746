//! `holdfast explain`: the record and the timeline of anything that has an id or a name.
import type { Command } from 'commander';
import { explain } from '../explain/explain.ts';
import { paintStatus } from '../terminal/style.ts';
import { fieldLines } from '../terminal/table.ts';
import { timelineLines } from '../terminal/timeline.ts';
import { does, type ProgramWorld } from './run.ts';

export function explainCommand(world: ProgramWorld, program: Command): void {
  const command = program
    .command('explain <id>')
    .description(
      'show a record and its timeline, by id, order reference, email, transaction hash or address',
    );
  does(world, command, async (run, _, id) => {
    const { terminal } = run;
    terminal.progress.show(`searching for ${id}`);
    const explanation = await explain(run.holdfast(), id);
    terminal.progress.clear();
    if (terminal.isJson) {
      const { kind, record, items: timeline } = explanation;
      return terminal.printJson({ kind, id: explanation.id, record, timeline });
    }
    const { style } = terminal;
    const status =
      explanation.status === undefined ? '' : `  ${paintStatus(style, explanation.status)}`;
    terminal.print(
      `${explanation.kind} ${style.bold(explanation.id)}${status}`,
      ...fieldLines(explanation.fields, style),
      '',
      ...timelineLines(explanation.items, style, explanation.names),
    );
    if (explanation.next !== undefined)
      terminal.print('', `  ${style.dim('→')} ${explanation.next}`);
  });
}
