//! `holdfast completion`: prints shell scripts that complete commands and options.
import { Argument, type Command } from 'commander';
import { does, type ProgramWorld } from './run.ts';

interface Node {
  /** The words before it, without the program's name. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly summary: string }[];
}

export function completionCommand(world: ProgramWorld, program: Command): void {
  const command = program
    .command('completion')
    .description(
      'print a completion script for bash, zsh or fish; setup instructions are at the top of the script',
    )
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']));
  does(world, command, async ({ terminal }, _, shell) => {
    const nodes = nodesOf(program);
    const script = { bash: bashScript, zsh: zshScript, fish: fishScript }[shell as 'bash'];
    terminal.print(script(nodes));
  });
}

/** Every command with what may follow it: commands and choices first, then options. */
export function nodesOf(command: Command, path: readonly string[] = []): Node[] {
  const commands = command.commands.map((each) => ({
    word: each.name(),
    summary: each.description(),
  }));
  const choices = command.registeredArguments
    .flatMap(({ argChoices = [] }) => argChoices)
    .map((word) => ({ word, summary: '' }));
  const options = command.options.map(({ long, short, description }) => ({
    word: long ?? short ?? '',
    summary: description,
  }));
  const own = { path: path.join(' '), words: [...commands, ...choices, ...options] };
  return [own, ...command.commands.flatMap((each) => nodesOf(each, [...path, each.name()]))];
}

const wordsOf = ({ words }: Node) => words.map(({ word }) => word).join(' ');

/** The longest path that the words before the cursor start with. */
const FIND_PATH = (cases: string) => `  local path="" word
  for word in "\${words[@]:1:$((COMP_CWORD - 1))}"; do
    case "\${path:+$path }$word" in
      ${cases}) path="\${path:+$path }$word" ;;
    esac
  done`;

function bashScript(nodes: readonly Node[]): string {
  const paths = nodes.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`);
  const replies = nodes.map((node) => `    "${node.path}") reply="${wordsOf(node)}" ;;`);
  return `# Complete holdfast in bash: add to ~/.bashrc
#   source <(holdfast completion bash)
_holdfast() {
  local words=("\${COMP_WORDS[@]}") reply=""
${FIND_PATH(paths.join(' | '))}
  case "$path" in
${replies.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$reply" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _holdfast holdfast`;
}

function zshScript(nodes: readonly Node[]): string {
  return `# Complete holdfast in zsh: add to ~/.zshrc
#   source <(holdfast completion zsh)
autoload -U +X bashcompinit && bashcompinit
${bashScript(nodes).split('\n').slice(2).join('\n')}`;
}

function fishScript(nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ path, words }) =>
    words.map(({ word, summary }) => {
      const seen = path.split(' ').filter((each) => each !== '');
      const conditions = seen.map((each) => `__fish_seen_subcommand_from ${each}`);
      const after = path === '' ? '__fish_use_subcommand' : conditions.join('; and ');
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c holdfast -f -n '${after}' ${what} -d '${summary.replaceAll("'", '’')}'`;
    }),
  );
  return [
    '# Complete holdfast in fish:',
    '#   holdfast completion fish > ~/.config/fish/completions/holdfast.fish',
    ...lines,
  ].join('\n');
}
