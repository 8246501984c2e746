//! Command-line options, declared once as a table that gives usage, validation and types. A table
//! with a `quick` flag gives its options two sizes; `--quick` chooses the smaller ones.
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

export interface Option<Value> {
  /** The value's placeholder in the usage: `N`, `LIST`. A flag has none. */
  readonly placeholder?: string;
  /** Takes the words that belong to no option. */
  readonly isRest?: true;
  readonly description: string;
  /** The default, in words. */
  readonly defaultText: string | undefined;
  readonly read: (value: GivenOption) => Value;
}

interface SeedOption extends Option<number> {
  /** The source of the seed if none is given. */
  readonly source: () => string;
}

interface GivenOption {
  /** As typed; undefined if not given. */
  readonly text: string | boolean | undefined;
  /** The words that belong to no option. */
  readonly rest: readonly string[];
  readonly isQuick: boolean;
  /** Throws an error that names the expected value. */
  readonly refuse: (expected: string) => never;
}

type Table = Readonly<Record<string, Option<unknown>>>;

export interface Command<Options extends Table> {
  /** The command as it is typed: `npm run chaos`. */
  readonly name: string;
  readonly options: Options;
  /** Printed below the options. */
  readonly note?: string;
}

/** The values of a table, by option name. A seed also has its source. */
export type OptionsOf<Options extends Table> = {
  readonly [Name in keyof Options]: Options[Name] extends Option<infer Value> ? Value : never;
} & (Options extends { seed: SeedOption } ? { readonly seedFrom: string } : unknown);

/** Runs the harness with its options; returns its exit code. */
export type Main<Options extends Table> = (options: OptionsOf<Options>) => Promise<number>;

interface Sizes<Value> {
  readonly full?: Value;
  readonly quick?: Value;
  /** Shown instead of the sizes, if the default is found in another way. */
  readonly defaultText?: string;
}

interface CountSizes extends Sizes<number> {
  /** 1 by default. */
  readonly least?: number;
  readonly most?: number;
}

const COUNT_MAX = 999_999_999;
const DAY_MS = 86_400_000;
const EXIT_MISUSED = 2;

/** Parses the command line, then prints the usage or runs; a wrong option prints one line. */
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
    process.stderr.write(`${(error as Error).message}\n(${command.name} -- --help for usage)\n`);
    process.exitCode = EXIT_MISUSED;
    return;
  }
  process.exitCode = await main(options);
}

export function usageOf({ name, options, note }: Command<Table>): string {
  const rows = Object.entries(options).map(
    ([option, { placeholder, isRest, description, defaultText }]) => ({
      typed: [isRest ? option : `--${option}`, placeholder ?? []].flat().join(' '),
      value: defaultText === undefined ? description : `${description} (${defaultText})`,
    }),
  );
  const width = Math.max(...rows.map(({ typed }) => typed.length));
  const lines = rows.map(({ typed, value }) => `  ${typed.padEnd(width)}  ${value}\n`);
  const rest = Object.keys(options).filter((option) => options[option]?.isRest);
  const head = [name, '--', ...['options', ...rest].map((each) => `[${each}]`)].join(' ');
  return `${head}\n${lines.join('')}${note === undefined ? '' : `\n${note}\n`}`;
}

export function parseOptions<Options extends Table>(
  options: Options,
  argv: readonly string[],
): OptionsOf<Options> {
  const rows = Object.entries(options);
  const named = rows.filter(([, { isRest }]) => !isRest);
  const { values, positionals: rest } = parseArgs({
    args: [...argv],
    allowPositionals: named.length < rows.length,
    options: Object.fromEntries(
      named.map(([name, row]) => [name, { type: row.placeholder ? 'string' : 'boolean' }] as const),
    ),
  });
  const isQuick = values['quick'] === true;
  const read = rows.map(([name, row]) => {
    const text = values[name];
    const refuse = (expected: string): never => {
      throw new Error(`--${name} must be ${expected}, not ${text}`);
    };
    return [name, row.read({ text, rest, isQuick, refuse })];
  });
  return Object.fromEntries([...read, ...seedFrom(options['seed'], values['seed'])]);
}

function seedFrom(option: Option<unknown> | undefined, value: unknown): [string, string][] {
  if (option === undefined || !('source' in option)) return [];
  return [['seedFrom', value === undefined ? (option as SeedOption).source() : 'as given']];
}

export function flag(description: string): Option<boolean> {
  return { description, defaultText: undefined, read: ({ text }) => text === true };
}

/** The words after the options, such as files. */
export function rest(description: string): Option<readonly string[]> {
  return { isRest: true, description, defaultText: undefined, read: ({ rest: given }) => given };
}

/** A whole number; undefined if it is not given and has no default size. */
export function count(description: string, sizes: CountSizes & { full: number }): Option<number>;
export function count(description: string, sizes?: CountSizes): Option<number | undefined>;
export function count(description: string, sizes: CountSizes = {}): Option<number | undefined> {
  return valued('N', description, sizes, (text, refuse) => readCount(text, sizes, refuse));
}

/** Whole numbers, separated by commas. */
export function counts(
  description: string,
  sizes: { full: readonly number[]; quick?: readonly number[] },
): Option<readonly number[]> {
  return valued('LIST', description, sizes, (text, refuse) =>
    text.split(',').map((each) => readCount(each, {}, refuse)),
  );
}

/** Any number above zero, as a limit that is a ratio. */
export function ratio(
  description: string,
  sizes: { full: number; quick?: number },
): Option<number> {
  return valued('X', description, sizes, (text, refuse) =>
    Number(text) > 0 ? Number(text) : refuse('a number above zero'),
  );
}

/** Some of the known words, in the order of the table; all of them by default. */
export function words<const Word extends string>(
  description: string,
  known: readonly Word[],
  quick: readonly Word[] = known,
): Option<readonly Word[]> {
  return valued('LIST', description, { full: known, quick }, (text, refuse) => {
    const value = text.split(',');
    const chosen = known.filter((word) => value.includes(word));
    return chosen.length === value.length ? chosen : refuse(`one or more of ${known.join(', ')}`);
  });
}

/** Free text, such as a path or an address; undefined if it is not given and has no default. */
export function text(
  placeholder: string,
  description: string,
  sizes: Sizes<string> & { full: string },
): Option<string>;
export function text(
  placeholder: string,
  description: string,
  sizes?: Sizes<string>,
): Option<string | undefined>;
export function text(
  placeholder: string,
  description: string,
  sizes: Sizes<string> = {},
): Option<string | undefined> {
  return valued(placeholder, description, sizes, (value) => value);
}

/** A random seed each time, or a fixed default. */
export function seed(description: string, defaultSeed?: number): SeedOption {
  return defaultSeed === undefined
    ? seedOption(description, 'random', () => ({ seed: randomInt(1, 1_000_000), from: 'random' }))
    : seedOption(description, String(defaultSeed), () => ({
        seed: defaultSeed,
        from: 'the default',
      }));
}

/**
 * The commit's seed, so that every commit tests another sequence and a failing one keeps failing.
 */
export function seedOfCommit(description: string): SeedOption {
  return seedOption(description, 'from the commit', readCommit);
}

interface Seed {
  readonly seed: number;
  readonly from: string;
}

function seedOption(description: string, defaultText: string, find: () => Seed): SeedOption {
  return {
    placeholder: 'N',
    description,
    defaultText,
    source: () => find().from,
    read: ({ text: value, refuse }) =>
      typeof value === 'string' ? readCount(value, {}, refuse) : find().seed,
  };
}

/** The day's seed if there is no commit. */
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
  description: string,
  sizes: Sizes<Value>,
  read: (text: string, refuse: GivenOption['refuse']) => Value,
): Option<Value> {
  const { full, quick = full } = sizes;
  const both = full === quick ? [full] : [full, `quick ${String(quick)}`];
  return {
    placeholder,
    description,
    defaultText: sizes.defaultText ?? (full === undefined ? undefined : both.join(', ')),
    read: ({ text: value, isQuick, refuse }) =>
      typeof value === 'string' ? read(value, refuse) : ((isQuick ? quick : full) as Value),
  };
}

function readCount(
  value: string,
  { least = 1, most = COUNT_MAX }: CountSizes,
  refuse: GivenOption['refuse'],
): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  const upTo = most === COUNT_MAX ? ` of at least ${least}` : ` from ${least} to ${most}`;
  return refuse(`a whole number${upTo}`);
}
