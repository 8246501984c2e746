//! What the table of entries lacks: scripts and documented commands that nobody would play.
import { readQuickstart } from '../../tests/quickstart/readme.ts';
import type { Entry } from './entries.ts';

export interface Documented {
  readonly scripts: Readonly<Record<string, string>>;
  readonly readme: string;
  /** The sources of the check, which say what it plays. */
  readonly check: string;
}

const TABLE_ROW = /^\| `([^`]+)` \|/gm;
const BLOCK = /^```\w*\n([\s\S]*?)^```$/gm;
const SCRIPT_LINE = /^npm run (?:-s )?([\w:-]+)/;
/** What CI begins with. */
const INSTALL = 'npm ci';

/** A line for each; none when every one is played by somebody. */
export function findForgotten(
  entries: Readonly<Record<string, Entry>>,
  { scripts, readme, check }: Documented,
): string[] {
  const forgotten = Object.keys(scripts).filter((name) => !(name in entries));
  const stale = Object.keys(entries).filter((name) => !(name in scripts));
  const unplayed = Object.entries(entries).filter(
    ([name, { whole }]) =>
      whole.kind === 'played' && whole.by === 'check' && !plays(check, name, scripts[name]),
  );
  return [
    ...forgotten.map((name) => `npm run ${name} has no entry in tools/smoke/entries.ts`),
    ...stale.map((name) => `tools/smoke/entries.ts has an entry ${name}, package.json no script`),
    ...unplayed.map(([name]) => `npm run ${name} is said to be played by the check, and is not`),
    ...commandsOf(readme)
      .filter((line) => !isPlayed(line, scripts))
      .map((line) => `README.md names a command that nothing plays: ${line}`),
  ];
}

/** The check names a script, or the file that it starts. */
function plays(check: string, name: string, command = ''): boolean {
  const [file] = /\S+\.ts$/.exec(command) ?? [];
  return check.includes(`'${name}'`) || (file !== undefined && check.includes(`'${file}'`));
}

/** Whatever a reader is told to type, but what `test:quickstart` types. */
function commandsOf(readme: string): string[] {
  const typed = readQuickstart(readme).steps.map((step) => (step.kind === 'file' ? '' : step.line));
  const rows = [...readme.matchAll(TABLE_ROW)].map(([, command = '']) => command);
  const lines = [...readme.matchAll(BLOCK)].flatMap(([, inner = '']) => inner.split('\n'));
  return [...rows.filter(isCommand), ...lines.filter(isCommand)].filter(
    (line) => !typed.includes(line),
  );
}

function isCommand(line: string): boolean {
  return /^(npm|npx|node|bash|curl) /.test(line);
}

function isPlayed(line: string, scripts: Documented['scripts']): boolean {
  const [, script] = SCRIPT_LINE.exec(line) ?? [];
  return script === undefined ? line === INSTALL : script in scripts;
}
