//! Runs every check over the repository, and proves on a planted text that each one can fail.
import { describe, expect, it } from 'vitest';
import { describeRepository, readSources, type Source } from './tidy/source.ts';
import { countNames, countTexts, misses } from './tidy/words.ts';
import { checks, findBreaches } from './tidy.ts';

const root = `${import.meta.dirname}/..`;
const sources = readSources(root);
const repository = describeRepository(sources);

describe('the repository', () => {
  it('was read', () => {
    expect(sources.length).toBeGreaterThan(200);
    expect(repository.words).toContain('INSUFFICIENT_FUNDS');
    expect(repository.scripts).toContain('dev');
    const screens = sources.filter(({ path }) => path.endsWith('.tsx'));
    expect(screens.map(({ text }) => text)).not.toContain('');
    expect(screens.length).toBeGreaterThan(20);
  });

  for (const check of checks) {
    it(check.name, () => {
      expect(findBreaches(check, sources, repository)).toEqual([]);
    });
  }
});

describe('the words that we do not use', () => {
  it('get fewer in names of things and of files', () => {
    expect(misses(countNames(sources))).toEqual([]);
  });

  it('get fewer in comments, texts and documents', () => {
    expect(misses(countTexts(sources))).toEqual([]);
  });

  it.each([
    ['a variable', file('apps/server/src/one.ts', 'const orderWish = 1;')],
    ['a property', file('apps/server/src/one.ts', 'interface One { wish: string }')],
    ['a file', file('apps/server/src/order-wish.ts', '')],
  ])('are found in the name of %s', (_what, source) => {
    const [wish] = countNames([source]);
    expect(wish?.found).toHaveLength(1);
  });

  it.each([
    ['a comment', file('apps/server/src/one.ts', '/** Nobody asked. */')],
    ['a string', file('apps/server/src/one.ts', "log.info('nobody');")],
    ['a template', file('apps/server/src/one.ts', ['const a = `for nobody $', '{1}`;'].join(''))],
    ['a screen', file('apps/console/src/one.tsx', 'const a = <p>Nobody has it</p>;')],
    ['a document', page('Nobody knows.')],
    ['the changelog', file('CHANGELOG.md', '- Nobody.')],
    [
      'a migration',
      file('apps/server/src/platform/database/migrations/0001_one.sql', '-- Nobody.'),
    ],
    ['an error of SQL', file('apps/server/src/one.sql', "raise exception 'nobody';")],
  ])('are found in %s', (_where, source) => {
    const [nobody] = countTexts([source]);
    expect(nobody?.found).toHaveLength(1);
  });

  it('are not looked for in decision records and in names that are only used', () => {
    const record = file('docs/decisions/0001-one.md', 'Nobody.');
    expect(countTexts([record])[0]?.found).toEqual([]);
    expect(countNames([code("import { wish } from 'there';\nwish();")])[0]?.found).toEqual([]);
  });

  it('may not stay on the list with a higher count than is left', () => {
    const row = { words: ['wish'], say: 'input', left: 2 };
    expect(misses([{ row, found: ['one', 'two'] }])).toEqual([]);
    expect(misses([{ row, found: ['one'] }])).toEqual(['wish: 1 left, lower 2 to it']);
    expect(misses([{ row, found: ['one', 'two', 'three'] }])).toHaveLength(4);
  });
});

interface Planted {
  readonly breach: Source;
  readonly clean: Source;
}

const file = (path: string, text: string): Source => ({ path, text });
const code = (text: string): Source => file('apps/server/src/orders/model/order.ts', text);
const page = (text: string): Source => file('docs/page.md', text);
const workflow = (text: string): Source => file('.github/workflows/one.yml', text);
const lines = (count: number): string => 'const one = 1;\n'.repeat(count);

/** By the name of the check: a text that breaks it, and one beside it that does not. */
const planted: Readonly<Record<string, Planted>> = {
  'files are named in kebab-case, with the known suffixes only': {
    breach: file('apps/server/src/orders/orderUtils.ts', ''),
    clean: file('apps/server/src/api/surface-a/orders.routes.ts', ''),
  },
  'a source file opens with a line that says what it is for': {
    breach: code('export const one = 1;'),
    clean: code('//! The rows of an order.\nexport const one = 1;'),
  },
  'a source file has at most 300 lines': { breach: code(lines(301)), clean: code(lines(300)) },
  'a function has at most 70 lines': {
    breach: code(`function long() {\n${lines(70)}}`),
    clean: code(`function short() {\n${lines(60)}}`),
  },
  'a line has at most 100 columns, tables and strings apart': {
    breach: code(`const ${'a'.repeat(60)} =\n  ${'b'.repeat(60)} + ${'c'.repeat(60)};`),
    clean: code(`const text = '${'a'.repeat(120)}';`),
  },
  'an import names the file that holds the thing: no file only re-exports': {
    breach: code("export { one } from './one.ts';\nexport * from './two.ts';"),
    clean: code("import { one } from './one.ts';\nexport const two = one + one;"),
  },
  'every operation has a test beside it': {
    breach: file(
      'apps/server/src/api/surface-a/parcels.routes.ts',
      "import { sendParcel } from '../../orders/order/send-parcel.ts';",
    ),
    clean: file(
      'apps/server/src/api/surface-a/orders.routes.ts',
      "import { createOrder } from '../../orders/order/create-order.ts';",
    ),
  },
  'a folder has at most 40 files': {
    breach: file('crowded/file-00.ts', ''),
    clean: file('package.json', ''),
  },
  'no provider is called inside a transaction': {
    breach: code('await transact(app, actor, async (tx) => app.escrowProvider.release(tx));'),
    clean: code('await transact(app, actor, lockOrder); await app.escrowProvider.release(id);'),
  },
  'exported names say what a thing does': {
    breach: code('export class OrderManager {}'),
    clean: code('export function releaseOrder() {}\nfunction helperOfNobody() {}'),
  },
  'one word has one meaning (docs/glossary.md)': {
    breach: code('const ledger = openBooks();'),
    clean: code('const books = openBooks();'),
  },
  'text becomes a number only where a number is meant; money never does': {
    breach: code('const cents = Number(amount);'),
    clean: code('const isWhole = Number.isSafeInteger(count);'),
  },
  'time comes from the clock that was handed in': {
    breach: code('const now = new Date();'),
    clean: code('const now = clock.now();'),
  },
  'connections are opened by DatabaseClient, which finds the host that takes writes': {
    breach: code('const client = new pg.Client(url);'),
    clean: code('const client = new DatabaseClient(url);'),
  },
  'chance comes from kernel/random': {
    breach: code('const chance = Math.random();'),
    clean: code('const chance = randomBytes(4);'),
  },
  'only adapters in providers/ call out': {
    breach: code('const answer = await fetch(url);'),
    clean: file('apps/server/src/providers/escrow/escrow-provider.http.ts', 'await fetch(url);'),
  },
  'SQL stands in row files, modules that own tables, and platform/': {
    breach: file(
      'apps/server/src/api/surface-a/orders.routes.ts',
      'const q = `select * from orders`;',
    ),
    clean: file('apps/server/src/accounts/books/balance.ts', 'const q = `select * from account`;'),
  },
  'no any': { breach: code('let thing: any;'), clean: code('let thing: unknown; // any') },
  'no console': { breach: code('console.log(1);'), clean: code("log.info('print line');") },
  'no default export': {
    breach: code('export default function run() {}'),
    clean: code('switch (one) { default: break; }'),
  },
  'no FIXME, and no TODO without the number of its issue': {
    breach: code('// TODO: later'),
    clean: code('// TODO: later, #12'),
  },
  'every path that a document names exists': {
    breach: page('See `tools/nothing.ts`.'),
    clean: page('See `tools/tidy.ts`, `tools/*.ts` and `docs/`.'),
  },
  'every link inside the repository leads somewhere': {
    breach: page('[See](nothing.md)'),
    clean: page('[See](../README.md#run), [there](https://example.com)'),
  },
  'every npm script that a document names exists': {
    breach: page('npm run nothing'),
    clean: page('npm run check'),
  },
  'every code, state and setting that a document names is declared': {
    breach: page('It answers `NOTHING_KNOWN`.'),
    clean: page('It answers `INSUFFICIENT_FUNDS`.'),
  },
  'the changelog lists versions, newest first, by kind of change': {
    breach: file('CHANGELOG.md', '## [9.9.9]\n### Improved\n'),
    clean: file('CHANGELOG.md', `## [${repository.version}] - 2026-11-15\n### Added\n`),
  },
  'a decision record has its number, its date and five heads in order': {
    breach: file('docs/decisions/0099-nothing.md', '# Nothing\n'),
    clean: file(
      'docs/decisions/0099-one.md',
      `# 0099 — One\n\nAccepted, 2026-11-15\n\n${['Context', 'Decision', 'Consequences', 'Rejected alternatives', 'Enforced by'].map((head) => `**${head}.** So.`).join('\n')}`,
    ),
  },
  'the list of decision records has each of them': {
    breach: file('docs/decisions/README.md', '[0001](0001-postgresql-decides.md)'),
    clean: file(
      'docs/decisions/README.md',
      [...repository.paths].map((path) => `](${path.replace('docs/decisions/', '')})`).join(''),
    ),
  },
  'every direct dependency is explained in docs/dependencies.md': {
    breach: file('package.json', '{ "dependencies": { "left-pad": "1.0.0" } }'),
    clean: file(
      'package.json',
      '{ "dependencies": { "pg": "8.0.0", "@holdfast/kernel": "0.1.0" } }',
    ),
  },
  'no path of a particular machine': {
    breach: page('Look in /home/ada/holdfast.'),
    clean: page('Look in docs/home/ada.'),
  },
  'workflows pin actions to a commit, with its version': {
    breach: workflow('- uses: actions/checkout@v7'),
    clean: workflow(`- uses: actions/checkout@${'0a'.repeat(20)} # v7.0.1`),
  },
  'every npm script that a workflow runs exists, and it installs by npm ci': {
    breach: workflow('- run: npm run -s nothing'),
    clean: workflow('- run: npm ci\n- run: npm run -s check -- --profile'),
  },
};

/** The repository, and a folder with a file too many. */
const withCrowd = {
  ...repository,
  paths: new Set([
    ...repository.paths,
    ...Array.from({ length: 41 }, (_, at) => `crowded/file-${String(at).padStart(2, '0')}.ts`),
  ]),
};

describe('each check', () => {
  for (const check of checks) {
    const { breach, clean } = planted[check.name] ?? {};
    it(`can fail: ${check.name}`, () => {
      expect(breach && check.find(breach, withCrowd)).not.toEqual([]);
      expect(clean && check.find(clean, withCrowd)).toEqual([]);
    });
  }
});
