//! `holdfast explain`: the whole story of anything that has a name.
import type { Command } from 'commander';
import { explain } from '../explain/explain.ts';
import { paintStatus } from '../terminal/style.ts';
import { fieldLines } from '../terminal/table.ts';
import { storyLines } from '../terminal/timeline.ts';
import { does, type ProgramWorld } from './run.ts';

export function explainCommand(world: ProgramWorld, program: Command): void {
  const command = program
    .command('explain <id>')
    .description('what happened to it and why: any id, reference, e-mail, hash or address');
  does(world, command, async (run, _, id) => {
    const { terminal } = run;
    terminal.progress.show(`looking for ${id}`);
    const story = await explain(run.holdfast(), id);
    terminal.progress.clear();
    if (terminal.isJson) {
      const { kind, record, items: timeline } = story;
      return terminal.sayJson({ kind, id: story.id, record, timeline });
    }
    const { style } = terminal;
    const status = story.status === undefined ? '' : `  ${paintStatus(style, story.status)}`;
    terminal.say(
      `${story.kind} ${style.bold(story.id)}${status}`,
      ...fieldLines(story.fields, style),
      '',
      ...storyLines(story.items, style, story.names),
    );
    if (story.next !== undefined) terminal.say('', `  ${style.dim('→')} ${story.next}`);
  });
}
