//! The table of options: sizes, refusals, seeds and the printed usage.
import { expect, expectTypeOf, it } from 'vitest';
import {
  count,
  counts,
  flag,
  type OptionsOf,
  parseOptions,
  ratio,
  rest,
  seed,
  seedOfCommit,
  text,
  usageOf,
  words,
} from './options.ts';

const table = {
  quick: flag('the short slice'),
  users: count('users', { full: 200, quick: 20 }),
  kills: count('kills', { full: 3, least: 0, most: 5 }),
  cells: count('cells', { defaultText: 'all' }),
  lanes: counts('lives at once', { full: [1, 16], quick: [16] }),
  spreads: words('how the load is spread', ['uniform', 'hot'], ['uniform']),
  limit: ratio('how many times slower', { full: 3 }),
  only: text('TEXT', 'only these', { full: '' }),
  history: text('F', 'keep the history in F'),
  seed: seed('which requests are sent', 7),
};

const read = (...argv: string[]) => parseOptions(table, argv);

it('uses full sizes, and smaller ones with --quick unless a size is given', () => {
  const full = { users: 200, lanes: [1, 16], spreads: ['uniform', 'hot'], kills: 3, limit: 3 };
  expect(read()).toMatchObject({ ...full, quick: false, cells: undefined, only: '', seed: 7 });
  expect(read('--quick')).toMatchObject({ users: 20, lanes: [16], spreads: ['uniform'], kills: 3 });
  expect(read('--quick', '--users', '5')).toMatchObject({ quick: true, users: 5, lanes: [16] });
});

it('parses each given value into its type', () => {
  const parsed = read(
    ...['--lanes', '2,4', '--spreads', 'hot', '--limit', '2.5', '--cells', '9', '--kills', '0'],
  );
  expect(parsed).toMatchObject({ lanes: [2, 4], spreads: ['hot'], limit: 2.5, cells: 9, kills: 0 });
  expectTypeOf<OptionsOf<typeof table>['users']>().toEqualTypeOf<number>();
  expectTypeOf<OptionsOf<typeof table>['cells']>().toEqualTypeOf<number | undefined>();
  expectTypeOf<OptionsOf<typeof table>['spreads']>().toEqualTypeOf<
    readonly ('uniform' | 'hot')[]
  >();
  expectTypeOf<OptionsOf<typeof table>['history']>().toEqualTypeOf<string | undefined>();
});

it.each([
  [['--users', '0'], '--users must be a whole number of at least 1, not 0'],
  [['--users', '1e3'], '--users must be a whole number of at least 1, not 1e3'],
  [['--kills', '6'], '--kills must be a whole number from 0 to 5, not 6'],
  [['--lanes', '1,,2'], '--lanes must be a whole number of at least 1, not 1,,2'],
  [['--spreads', 'hot,warm'], '--spreads must be one or more of uniform, hot, not hot,warm'],
  [['--limit', 'none'], '--limit must be a number above zero, not none'],
  [['--unheard', '1'], "Unknown option '--unheard'"],
])('refuses %j', (argv, message) => {
  expect(() => read(...argv)).toThrow(message);
});

it('takes words that belong to no option where the table has a place for them', () => {
  const open = { quick: flag('the short slice'), files: rest('only these') };
  expect(parseOptions(open, ['a', '--quick', 'b'])).toEqual({ quick: true, files: ['a', 'b'] });
  expect(usageOf({ name: 'it', options: open })).toBe(
    'it -- [options] [files]\n  --quick  the short slice\n  files    only these\n',
  );
  expect(() => read('a')).toThrow("Unexpected argument 'a'");
});

it('returns where the seed comes from', () => {
  expect(read()).toMatchObject({ seed: 7, seedFrom: 'the default' });
  expect(read('--seed', '9')).toMatchObject({ seed: 9, seedFrom: 'as given' });
  expect(parseOptions({ seed: seed('luck') }, [])).toMatchObject({ seedFrom: 'random' });
  const { seed: ofCommit, seedFrom } = parseOptions({ seed: seedOfCommit('which') }, []);
  expect(ofCommit).toBeGreaterThan(0);
  expect(seedFrom).toMatch(/^(commit [0-9a-f]{6}|the day)/);
});

it('prints every option with its sizes', () => {
  const usage = usageOf({ name: 'npm run it', options: table, note: 'Beware.' });
  expect(usage.split('\n').slice(0, 6)).toEqual([
    'npm run it -- [options]',
    '  --quick         the short slice',
    '  --users N       users (200, quick 20)',
    '  --kills N       kills (3)',
    '  --cells N       cells (all)',
    '  --lanes LIST    lives at once (1,16, quick 16)',
  ]);
  expect(usage).toContain(
    '  --spreads LIST  how the load is spread (uniform,hot, quick uniform)\n',
  );
  expect(usage).toContain('  --history F     keep the history in F\n');
  expect(usage.endsWith('\n\nBeware.\n')).toBe(true);
});
