//! Finds gaps in the table of entries: scripts and documented commands that nothing runs.
import { readQuickstart } from '../../tests/e2e/quickstart/readme.ts';
import type { Entry } from './entries.ts';

export interface Documented {
  readonly scripts: Readonly<Record<string, string>>;
  readonly readme: string;
  readonly contributing: string;
  /** The sources of the check, which show what it runs. */
  readonly check: string;
}

/** A cell of a table that starts with code. */
const TABLE_CELL = /\| `([^`]+)`/g;
const BLOCK = /^```\w*\n([\s\S]*?)^```$/gm;
const SCRIPT_LINE = /^npm run (?:-s )?([\w:-]+)/;
/** The first command of CI. */
const INSTALL = 'npm ci';

/** A line for each gap; none when every script and command is run. */
export function findUncovered(
  entries: Readonly<Record<string, Entry>>,
  { scripts, readme, contributing, check }: Documented,
): string[] {
  const uncovered = Object.keys(scripts).filter((name) => !(name in entries));
  const stale = Object.keys(entries).filter((name) => !(name in scripts));
  const notRun = Object.entries(entries).filter(
    ([name, { whole }]) =>
      whole.kind === 'played' && whole.by === 'check' && !runsEntry(check, name, scripts[name]),
  );
  return [
    ...uncovered.map((name) => `npm run ${name} has no entry in tools/smoke/entries.ts`),
    ...stale.map((name) => `tools/smoke/entries.ts has an entry ${name}, which is no script`),
    ...notRun.map(([name]) => `npm run ${name} is listed as run by the check, but is not`),
    ...faultsOf('README.md', commandsOf(readme, typedIn(readme)), scripts),
    ...faultsOf('CONTRIBUTING.md', commandsOf(contributing, []), scripts),
  ];
}

/** The check names a script, or the file that it starts. */
function runsEntry(check: string, name: string, command = ''): boolean {
  const [file] = /\S+\.ts$/.exec(command) ?? [];
  return check.includes(`'${name}'`) || (file !== undefined && check.includes(`'${file}'`));
}

function faultsOf(
  page: string,
  commands: readonly string[],
  scripts: Documented['scripts'],
): string[] {
  return commands
    .filter((line) => !isRun(line, scripts))
    .map((line) => `${page} names a command that nothing runs: ${line}`);
}

/** The commands that `test:quickstart` types. */
function typedIn(readme: string): string[] {
  return readQuickstart(readme).steps.map((step) => (step.kind === 'file' ? '' : step.line));
}

/** Every command in a table or a block of the page, except those typed elsewhere. */
function commandsOf(page: string, typed: readonly string[]): string[] {
  const cells = [...page.matchAll(TABLE_CELL)].map(([, command = '']) => command);
  const lines = [...page.matchAll(BLOCK)].flatMap(([, inner = '']) => inner.split('\n'));
  return [...cells.filter(isCommand), ...lines.filter(isCommand)].filter(
    (line) => !typed.includes(line),
  );
}

function isCommand(line: string): boolean {
  return /^(npm|npx|node|bash|curl) /.test(line);
}

function isRun(line: string, scripts: Documented['scripts']): boolean {
  const [, script] = SCRIPT_LINE.exec(line) ?? [];
  return script === undefined ? line === INSTALL : script in scripts;
}
