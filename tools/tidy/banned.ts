//! Code that may not be written at all, or only in the files named here with their reason.
import ts from 'typescript';
import { type Check, findLines, findNodes, isTypeScript, type Source } from './source.ts';

interface Ban {
  readonly name: string;
  readonly matches: (node: ts.Node, source: Source) => boolean;
  /** Where it is right, and why. */
  readonly allowed: readonly { readonly path: RegExp; readonly because: string }[];
}

const HARNESS = {
  path: /\.test\.tsx?$|^(tools|tests|bench)\/|\/testing\//,
  because: 'tests, tools and load generators stand outside the service',
};
const EXAMPLE = {
  path: /^examples\//,
  because: 'a separate program, written as its readers would write theirs',
};
const CLI = { path: /^apps\/cli\/src\//, because: 'a command line talks to its terminal' };

function calls(node: ts.Node, ...names: readonly string[]): boolean {
  const isCall = ts.isCallExpression(node) || ts.isNewExpression(node);
  return isCall && names.includes(node.expression.getText().replace('globalThis.', ''));
}

const SQL_TEXT =
  /^\s*(select\s|insert\s+into\s|update\s+\w+(\s+\w+)?\s+set\s|delete\s+from\s|with\s+\w+\s+as\s|truncate\s|(create|alter|drop)\s+(table|index|role|database|function|schema|policy)\s|set\s+(local|role)\s|lock\s+table\s)/i;

function isText(node: ts.Node): boolean {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateExpression(node)
  );
}

const BANS: readonly Ban[] = [
  {
    name: 'text becomes a number only where a number is meant; money never does',
    matches: (node) =>
      calls(node, 'Number', 'parseInt', 'parseFloat', 'Number.parseInt', 'Number.parseFloat'),
    allowed: [
      HARNESS,
      EXAMPLE,
      CLI,
      {
        path: /^apps\/server\/src\/platform\/config\/settings\.ts$/,
        because: 'settings such as a port are numbers',
      },
      {
        path: /^apps\/server\/src\/record\/audit\/audit-archive\.ts$/,
        because: 'the number of a file',
      },
      {
        path: /^apps\/server\/src\/access\/keys\/key-text\.ts$/,
        because: 'a base-62 digit of a checksum',
      },
      {
        path: /^apps\/server\/src\/platform\/database\/(numbered-)?page\.ts$/,
        because: 'the size of a page',
      },
      {
        path: /^apps\/server\/src\/(console\/home\/home-figures|assurance\/solvency\/get-solvency-history)\.ts$/,
        because: 'the days of a period',
      },
      {
        path: /^apps\/server\/src\/platform\/password\.ts$/,
        because: 'the costs that a hash was made with',
      },
      {
        path: /\/(compact-house-accounts|purge-idempotency-keys)\.ts$/,
        because: 'how many rows a job has done, for its log line',
      },
      {
        path: /^apps\/server\/src\/providers\/(network\/envelope|provider-http|signing\/transaction-policy)\.ts$/,
        because: 'a time in seconds',
      },
      {
        path: /^apps\/sandbox\/src\/payment\/records\.ts$/,
        because: 'how many pieces of an item',
      },
      { path: /\/surface-b\/number-money\.ts$/, because: "Surface B's amounts are numbers" },
      { path: /^packages\/sdk\/src\/platform\.ts$/, because: 'a header such as Retry-After' },
      {
        path: /^apps\/console\/src\/parts\/chart\/plot-value\.ts$/,
        because: 'the height of a line in a picture',
      },
    ],
  },
  {
    name: 'time comes from the clock that was handed in',
    matches: (node) =>
      calls(node, 'Date.now') ||
      (calls(node, 'Date') && !(node as ts.NewExpression).arguments?.length),
    allowed: [
      HARNESS,
      EXAMPLE,
      { path: /^packages\/kernel\/src\/clock\.ts$/, because: 'the one place that reads it' },
      {
        path: /^packages\/sdk\/src\/platform\.ts$/,
        because: 'the SDK has no kernel: this is its one place',
      },
      {
        path: /^apps\/console\/src\/app\/now\.ts$/,
        because: 'the page has no kernel: this is its one place',
      },
      {
        path: /^apps\/sandbox\/src\/clock\.ts$/,
        because: 'the sandbox has its own clock',
      },
    ],
  },
  {
    name: 'connections are opened by DatabaseClient, which finds the host that takes writes',
    matches: (node) => calls(node, 'pg.Client'),
    allowed: [
      HARNESS,
      CLI,
      {
        path: /^apps\/server\/src\/platform\/database\/(database-client|migration-session)\.ts$/,
        because: 'DatabaseClient itself, and a migration at the host that was found before',
      },
    ],
  },
  {
    name: 'chance comes from kernel/random',
    matches: (node) => calls(node, 'Math.random'),
    allowed: [{ path: /^bench\//, because: 'a load generator may draw cheaply' }],
  },
  {
    name: 'only adapters in providers/ call out',
    matches: (node) => calls(node, 'fetch'),
    allowed: [
      {
        path: /^apps\/server\/src\/platform\/process\/world-clock\.ts$/,
        because: 'development follows the sandbox',
      },
      HARNESS,
      CLI,
      { path: /^apps\/server\/src\/providers\//, because: 'the adapters' },
      {
        path: /^apps\/server\/src\/engine\/restate-/,
        because: 'the engine is ours, and no provider',
      },
      { path: /^packages\/sdk\//, because: 'a client of the API' },
    ],
  },
  {
    name: 'SQL stands in row files, modules that own tables, and platform/',
    matches: (node) => isText(node) && SQL_TEXT.test(node.getText().slice(1)),
    allowed: [
      HARNESS,
      EXAMPLE,
      {
        path: /^apps\/server\/src\/(platform|record|engine|access|accounts|payments|orders|members|webhooks|assurance|console)\//,
        because: 'each owns tables; a row file is private to its folder',
      },
      {
        path: /^apps\/server\/src\/providers\/network\/envelope\.ts$/,
        because: 'the row file of signed envelopes',
      },
      { path: /^apps\/cli\/src\//, because: '`dev` makes and drops its own database' },
    ],
  },
  {
    name: 'no any',
    matches: (node) => node.kind === ts.SyntaxKind.AnyKeyword,
    allowed: [
      { path: /^apps\/server\/src\/testing\/world\.ts$/, because: 'a test reads what came' },
    ],
  },
  {
    name: 'no console',
    matches: (node) =>
      ts.isPropertyAccessExpression(node) && node.expression.getText() === 'console',
    allowed: [],
  },
  {
    name: 'no default export',
    matches: (node) =>
      node.kind === ts.SyntaxKind.DefaultKeyword && !ts.isDefaultClause(node.parent)
        ? !ts.isImportSpecifier(node.parent)
        : ts.isExportAssignment(node),
    allowed: [
      { path: /(^|\/)[a-z]+\.config\.ts$/, because: 'Vitest and Astro read theirs so' },
      { path: /^tools\/vitest\/[a-z]+-reporter\.ts$/, because: 'Vitest loads a reporter so' },
    ],
  },
];

export const bans: readonly Check[] = BANS.map(({ name, matches, allowed }) => ({
  name,
  find(source) {
    if (allowed.some(({ path }) => path.test(source.path))) return [];
    return findNodes(source, (node) =>
      matches(node, source) ? (node.getText().split('\n')[0] ?? '').slice(0, 60) : undefined,
    );
  },
}));

export const unfinished: Check = {
  name: 'no FIXME, and no TODO without the number of its issue',
  find: (source) =>
    isTypeScript(source.path) || source.path.endsWith('.sql')
      ? findLines(source, (line) => {
          const comment = /^[^'"`]*?((\/\/|--|\*).*)/.exec(line)?.[1] ?? '';
          return /\bFIXME\b/.test(comment) || /\bTODO\b(?!.*#\d+)/.test(comment)
            ? comment.trim()
            : undefined;
        })
      : [],
};
