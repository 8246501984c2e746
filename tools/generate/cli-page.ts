//! The reference page of the command line: the help text of every command.
import { systemClock } from '@holdfast/kernel/clock';
import { examplesOf } from '../../apps/cli/src/commands/examples.ts';
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
  const exits = Object.values(EXITS).map(({ code: number, description }) => [
    String(number),
    description,
  ]);
  return paragraphs(
    '# Command line',
    'Install with `npm install holdfast` and run with `npx holdfast`. Every command accepts `--json`, ' +
      'never prompts, and sets an exit code.',
    'Commands find the server and the API key in this order: `--url` and `--api-key`; ' +
      '`HOLDFAST_URL` and `HOLDFAST_API_KEY`; the `holdfast dev` running in this folder or a ' +
      'parent folder. ' +
      'Creating, rotating and revoking keys also requires the master key: `HOLDFAST_MASTER_KEY`, ' +
      'or the key of a running `holdfast dev`.',
    table(
      ['Command', 'Description'],
      commandsOf(program).map((one) => [
        `[${code(`holdfast ${one.name()}`)}](#holdfast-${one.name()})`,
        one.summary() || one.description(),
      ]),
    ),
    '## Global options',
    optionTable(program),
    '## Exit codes',
    table(['Code', 'Meaning'], exits),
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
  const examples = examplesOf(name.replace(/^holdfast /, ''));
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
    ...(examples.length > 0 ? [block('sh', examples.join('\n'))] : []),
    ...inner.flatMap((one) => commandSection(one, name, `${level}#`)),
  ];
}

function sentence(text: string): string {
  const parts = text
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 0 ? markLiterals(part) : part));
  const shown = parts.join('');
  const first = `${shown[0]?.toUpperCase() ?? ''}${shown.slice(1)}`;
  return /[.!?:…]$/.test(first) ? first : `${first}.`;
}

const ACRONYMS = /^(API|CSV|HMAC|HTTPS?|JSON|URL|UUID)$/;

function isLiteral(word: string): boolean {
  return word.includes('_') || (/^[A-Z]{3,}$/.test(word) && !ACRONYMS.test(word));
}

/** Marks what a reader types, such as `payment_account, bank or crypto` or `system (…)`. */
function markLiterals(text: string): string {
  const lists = [...text.matchAll(/\w+(, \w+)* or \w+/g)].map(([list]) => list.split(/, | or /));
  const explained = /^[a-z]+ \((?!default)/.test(text) ? text.match(/[a-z]+(?= \()/g) : null;
  const literals = new Set([
    ...lists.filter((list) => list.some((word) => word.includes('_'))).flat(),
    ...(explained ?? []),
  ]);
  return text.replace(/\w+/g, (word) =>
    literals.has(word) || isLiteral(word) ? code(word) : word,
  );
}

function argumentTable(command: Command): string {
  return table(
    ['Argument', 'Description'],
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
      ...(defaultValue === undefined ? [] : [`Default: ${code(String(defaultValue))}.`]),
    ].join(' '),
  ]);
  return table(['Option', 'Description'], rows);
}
