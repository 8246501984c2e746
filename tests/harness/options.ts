//! Options of a command line, declared once as a table: its usage, what it accepts and its types.
//! A table with a `quick` flag gives its options two sizes; `--quick` chooses the smaller ones.
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export interface Option<Value> {
  /** What stands for the value in the usage: `N`, `LIST`. A flag has none. */
  readonly placeholder?: string;
  readonly means: string;
  /** What holds when nobody says, in words. */
  readonly usual: string | undefined;
  readonly read: (told: Told) => Value;
}

interface SeedOption extends Option<number> {
  /** Where the seed comes from when nobody says. */
  readonly source: () => string;
}

interface Told {
  /** As typed, or undefined when nobody said. */
  readonly text: string | boolean | undefined;
  readonly isQuick: boolean;
  /** Throws that this option wants something else. */
  readonly refuse: (wanted: string) => never;
}

type Table = Readonly<Record<string, Option<unknown>>>;

export interface Command<Options extends Table> {
  /** As it is typed: `npm run chaos`. */
  readonly name: string;
  readonly options: Options;
  /** What else to know, below the options. */
  readonly note?: string;
}

/** The values of a table, by the options' names. A seed also says where it comes from. */
export type OptionsOf<Options extends Table> = {
  readonly [Name in keyof Options]: Options[Name] extends Option<infer Value> ? Value : never;
} & (Options extends { seed: SeedOption } ? { readonly seedFrom: string } : unknown);

/** What a harness does once its options are known; gives back its exit code. */
export type Main<Options extends Table> = (options: OptionsOf<Options>) => Promise<number>;

interface Sizes<Value> {
  readonly full?: Value;
  readonly quick?: Value;
  /** Instead of the sizes, where the usual value is found in another way. */
  readonly usual?: string;
}

interface CountSizes extends Sizes<number> {
  /** 1 unless said. */
  readonly least?: number;
  readonly most?: number;
}

const COUNT_MAX = 999_999_999;
const DAY_MS = 86_400_000;
const EXIT_MISUSED = 2;

/** Reads the command line, explains itself or runs; a wrong option is told in one line. */
export async function runCommand<Options extends Table>(
  command: Command<Options>,
  main: Main<Options>,
): Promise<void> {
  const argv = process.argv.slice(2);
  if (argv.includes('--help')) {
    process.stdout.write(usageOf(command));
    return;
  }
  let options: OptionsOf<Options>;
  try {
    options = parseOptions(command.options, argv);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n(${command.name} -- --help tells more)\n`);
    process.exitCode = EXIT_MISUSED;
    return;
  }
  process.exitCode = await main(options);
}

export function usageOf({ name, options, note }: Command<Table>): string {
  const rows = Object.entries(options).map(([option, { placeholder, means, usual }]) => ({
    typed: `--${placeholder === undefined ? option : `${option} ${placeholder}`}`,
    told: usual === undefined ? means : `${means} (${usual})`,
  }));
  const width = Math.max(...rows.map(({ typed }) => typed.length));
  const lines = rows.map(({ typed, told }) => `  ${typed.padEnd(width)}  ${told}\n`);
  return `${name} -- [options]\n${lines.join('')}${note === undefined ? '' : `\n${note}\n`}`;
}

export function parseOptions<Options extends Table>(
  options: Options,
  argv: readonly string[],
): OptionsOf<Options> {
  const rows = Object.entries(options);
  const { values } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      rows.map(([name, row]) => [name, { type: row.placeholder ? 'string' : 'boolean' }] as const),
    ),
  });
  const isQuick = values['quick'] === true;
  const read = rows.map(([name, row]) => {
    const text = values[name];
    const refuse = (wanted: string): never => {
      throw new Error(`--${name} wants ${wanted}, not ${text}`);
    };
    return [name, row.read({ text, isQuick, refuse })];
  });
  return Object.fromEntries([...read, ...seedFrom(options['seed'], values['seed'])]);
}

function seedFrom(option: Option<unknown> | undefined, told: unknown): [string, string][] {
  if (option === undefined || !('source' in option)) return [];
  return [['seedFrom', told === undefined ? (option as SeedOption).source() : 'as told']];
}

export function flag(means: string): Option<boolean> {
  return { means, usual: undefined, read: ({ text }) => text === true };
}

/** A whole number; undefined when nobody says it and it has no size of its own. */
export function count(means: string, sizes: CountSizes & { full: number }): Option<number>;
export function count(means: string, sizes?: CountSizes): Option<number | undefined>;
export function count(means: string, sizes: CountSizes = {}): Option<number | undefined> {
  return valued('N', means, sizes, (text, refuse) => readCount(text, sizes, refuse));
}

/** Whole numbers with commas between them. */
export function counts(
  means: string,
  sizes: { full: readonly number[]; quick?: readonly number[] },
): Option<readonly number[]> {
  return valued('LIST', means, sizes, (text, refuse) =>
    text.split(',').map((each) => readCount(each, {}, refuse)),
  );
}

/** Any number above zero, as a limit that is a ratio. */
export function ratio(means: string, sizes: { full: number; quick?: number }): Option<number> {
  return valued('X', means, sizes, (text, refuse) =>
    Number(text) > 0 ? Number(text) : refuse('a number above zero'),
  );
}

/** Some of the known words, in the order of the table; all of them unless said. */
export function words<const Word extends string>(
  means: string,
  known: readonly Word[],
  quick: readonly Word[] = known,
): Option<readonly Word[]> {
  return valued('LIST', means, { full: known, quick }, (text, refuse) => {
    const told = text.split(',');
    const chosen = known.filter((word) => told.includes(word));
    return chosen.length === told.length ? chosen : refuse(`some of ${known.join(', ')}`);
  });
}

/** Free text, such as a path or an address; undefined when nobody says it and nothing is usual. */
export function text(
  placeholder: string,
  means: string,
  sizes: Sizes<string> & { full: string },
): Option<string>;
export function text(
  placeholder: string,
  means: string,
  sizes?: Sizes<string>,
): Option<string | undefined>;
export function text(
  placeholder: string,
  means: string,
  sizes: Sizes<string> = {},
): Option<string | undefined> {
  return valued(placeholder, means, sizes, (told) => told);
}

/** Another one each time, or one that is always the same. */
export function seed(means: string, usual?: number): SeedOption {
  return usual === undefined
    ? seedOption(means, 'by chance', () => ({ seed: randomInt(1, 1_000_000), from: 'by chance' }))
    : seedOption(means, String(usual), () => ({ seed: usual, from: 'as usual' }));
}

/** The commit's, so that every commit tries something else and a red one stays red. */
export function seedOfCommit(means: string): SeedOption {
  return seedOption(means, 'from the commit', readCommit);
}

interface Seed {
  readonly seed: number;
  readonly from: string;
}

function seedOption(means: string, usual: string, find: () => Seed): SeedOption {
  return {
    placeholder: 'N',
    means,
    usual,
    source: () => find().from,
    read: ({ text: told, refuse }) =>
      typeof told === 'string' ? readCount(told, {}, refuse) : find().seed,
  };
}

/** The day's where there is no commit. */
function readCommit(): Seed {
  try {
    const commit = execFileSync('git', ['rev-parse', '--short=6', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return { seed: Number.parseInt(commit, 16) + 1, from: `commit ${commit.trim()}` };
  } catch {
    return { seed: Math.floor(Date.now() / DAY_MS), from: 'the day' };
  }
}

function valued<Value>(
  placeholder: string,
  means: string,
  sizes: Sizes<Value>,
  read: (text: string, refuse: Told['refuse']) => Value,
): Option<Value> {
  const { full, quick = full } = sizes;
  const both = full === quick ? [full] : [full, `quick ${String(quick)}`];
  return {
    placeholder,
    means,
    usual: sizes.usual ?? (full === undefined ? undefined : both.join(', ')),
    read: ({ text: told, isQuick, refuse }) =>
      typeof told === 'string' ? read(told, refuse) : ((isQuick ? quick : full) as Value),
  };
}

function readCount(
  told: string,
  { least = 1, most = COUNT_MAX }: CountSizes,
  refuse: Told['refuse'],
): number {
  const number = /^\d+$/.test(told) ? Number(told) : Number.NaN;
  if (number >= least && number <= most) return number;
  const upTo = most === COUNT_MAX ? ` of at least ${least}` : ` from ${least} to ${most}`;
  return refuse(`a whole number${upTo}`);
}
