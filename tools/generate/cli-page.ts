//! The reference page of the command line: every command as its own help has it.
import { systemClock } from '@holdfast/kernel/clock';
import { EXITS } from '../../apps/cli/src/exit-codes.ts';
import { buildProgram } from '../../apps/cli/src/program.ts';
import { block, code, paragraphs, table } from './markdown.ts';

export type Command = ReturnType<typeof buildProgram>;

/** The program, built and not run. */
export function cliProgram(): Command {
  return buildProgram({
    stdout: process.stdout,
    stderr: process.stderr,
    env: {},
    folder: '.',
    clock: systemClock,
    end: () => undefined,
    onInterrupt: () => () => undefined,
  });
}

export function cliPage(): string {
  const program = cliProgram();
  const exits = Object.values(EXITS).map(({ code: number, means }) => [String(number), means]);
  return paragraphs(
    '# Command line',
    '`npx holdfast`, or `npm install holdfast`. Every command takes `--json`, asks nothing when it ' +
      'does not talk to a terminal, and ends with a code that says what happened.',
    'Where the server is: `--url` and `--api-key`, else `HOLDFAST_URL` and `HOLDFAST_API_KEY`, else ' +
      'the `holdfast dev` that runs in this folder or in one above it. `HOLDFAST_MASTER_KEY` for keys.',
    table(
      ['Command', 'Does'],
      commandsOf(program).map((one) => [
        `[${code(`holdfast ${one.name()}`)}](#holdfast-${one.name()})`,
        one.summary() || one.description(),
      ]),
    ),
    '## Options of every command',
    optionTable(program),
    '## Exit codes',
    table(['Code', 'Means'], exits),
    ...commandsOf(program).flatMap((one) => commandSection(one, 'holdfast', '##')),
  );
}

function commandsOf(command: Command): Command[] {
  const { commands } = command;
  return commands.filter((one) => one.name() !== 'help' && !isHidden(one));
}

/** Commander keeps this to itself. */
function isHidden(command: Command): boolean {
  return (command as unknown as { _hidden?: boolean })._hidden === true;
}

function commandSection(command: Command, within: string, level: string): string[] {
  const name = `${within} ${command.name()}`;
  const inner = commandsOf(command);
  const words = command.registeredArguments.map((one) => {
    const shown = one.variadic ? `${one.name()}...` : one.name();
    return one.required ? `<${shown}>` : `[${shown}]`;
  });
  const hasOptions = shownOptions(command).length > 0;
  return [
    `${level} ${name}`,
    sentence(command.description()),
    ...(inner.length === 0
      ? [block('text', [name, ...words, ...(hasOptions ? ['[options]'] : [])].join(' '))]
      : []),
    ...(command.registeredArguments.some((one) => one.description !== '')
      ? [argumentTable(command)]
      : []),
    ...(hasOptions ? [optionTable(command)] : []),
    ...inner.flatMap((one) => commandSection(one, name, `${level}#`)),
  ];
}

function sentence(text: string): string {
  const first = `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
  return /[.!?:…]$/.test(first) ? first : `${first}.`;
}

function argumentTable(command: Command): string {
  return table(
    ['Argument', 'Is'],
    command.registeredArguments.map((one) => [code(one.name()), one.description]),
  );
}

function shownOptions(command: Command) {
  return command.options.filter((one) => !one.hidden);
}

function optionTable(command: Command): string {
  const rows = shownOptions(command).map(({ flags, description, defaultValue, argChoices }) => [
    code(flags),
    [
      sentence(description),
      ...(argChoices === undefined ? [] : [`One of ${argChoices.map(code).join(', ')}.`]),
      ...(defaultValue === undefined ? [] : [`Usually ${code(String(defaultValue))}.`]),
    ].join(' '),
  ]);
  return table(['Option', 'Does'], rows);
}
