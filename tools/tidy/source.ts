//! The input of a check: one file, its syntax tree, and the other files of the repository.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface Source {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Repository {
  /** Every file and every folder. */
  readonly paths: ReadonlySet<string>;
  /** The scripts of the root package.json. */
  readonly scripts: ReadonlySet<string>;
  /** Every UPPER_CASE word that the contract or the configuration declares. */
  readonly words: ReadonlySet<string>;
  readonly version: string;
  /** docs/dependencies.md, which has a line for every dependency. */
  readonly dependencyNotes: string;
}

/** One rule. `find` returns a line for each breach: its location, then the fault. */
export interface Check {
  readonly name: string;
  readonly find: (source: Source, repository: Repository) => readonly string[];
}

const SKIPPED = new Set([
  'node_modules',
  'dist',
  '.astro',
  '.cache',
  '.data',
  '.git',
  '.holdfast',
  'coverage',
]);
const PLANTED = 'tools/fixtures';
const READ = /\.(tsx?|cjs|mjs|sql|md|json|yaml|yml)$/;

export function readSources(root: string, folder = ''): Source[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((found) => {
    const path = folder === '' ? found.name : `${folder}/${found.name}`;
    if (SKIPPED.has(found.name) || path === PLANTED) return [];
    if (found.isDirectory()) return readSources(root, path);
    return [{ path, text: READ.test(path) ? readFileSync(join(root, path), 'utf8') : '' }];
  });
}

/** Where the words of the published truth and of the configuration are declared. */
const DECLARE_WORDS: readonly RegExp[] = [
  /^packages\/(contract|sdk)\/src\//,
  /^apps\/server\/src\/platform\/config\//,
  /^apps\/server\/src\/testing\/providers\/real-environments\.ts$/,
  /^apps\/cli\/src\/(dev|dev\/state-file|find-server)\.ts$/,
  /^examples\/[^/]+\/src\/config\.ts$/,
];
export const UPPER_CASE_WORD = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;

export function describeRepository(sources: readonly Source[]): Repository {
  const folders = sources.flatMap(({ path }) =>
    path.split('/').map((_, at, parts) => parts.slice(0, at).join('/')),
  );
  const manifest = sources.find(({ path }) => path === 'package.json')?.text ?? '{}';
  const { scripts, version } = JSON.parse(manifest) as { scripts?: object; version?: string };
  return {
    paths: new Set([...sources.map(({ path }) => path), ...folders]),
    scripts: new Set(Object.keys(scripts ?? {})),
    words: new Set(
      sources
        .filter(({ path }) => DECLARE_WORDS.some((one) => one.test(path)) && !isTestFile(path))
        .flatMap(({ text }) => text.match(UPPER_CASE_WORD) ?? []),
    ),
    version: version ?? '',
    dependencyNotes: sources.find(({ path }) => path === 'docs/dependencies.md')?.text ?? '',
  };
}

export function isTypeScript(path: string): boolean {
  return /\.tsx?$/.test(path);
}

/** Tests and what only they use. */
export function isTest(path: string): boolean {
  return isTestFile(path) || /^tests\/|\/testing\//.test(path);
}

function isTestFile(path: string): boolean {
  return /\.test\.tsx?$/.test(path);
}

const trees = new WeakMap<Source, ts.SourceFile>();

export function treeOf(source: Source): ts.SourceFile {
  const known = trees.get(source);
  if (known) return known;
  const tree = ts.createSourceFile(source.path, source.text, ts.ScriptTarget.Latest, true);
  trees.set(source, tree);
  return tree;
}

const nodes = new WeakMap<Source, readonly ts.Node[]>();

/** All of the tree, walked once for all checks. */
export function nodesOf(source: Source): readonly ts.Node[] {
  const known = nodes.get(source);
  if (known) return known;
  const all: ts.Node[] = [];
  const walk = (node: ts.Node): void => {
    all.push(node);
    ts.forEachChild(node, walk);
  };
  walk(treeOf(source));
  nodes.set(source, all);
  return all;
}

/** Calls `check` for every node; returns its results, each with its location. */
export function findNodes(source: Source, check: (node: ts.Node) => string | undefined): string[] {
  if (!isTypeScript(source.path)) return [];
  const tree = treeOf(source);
  const found: string[] = [];
  for (const node of nodesOf(source)) {
    const wrong = check(node);
    if (wrong === undefined) continue;
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
    found.push(`${source.path}:${line + 1} ${wrong}`);
  }
  return found;
}

/** Calls `check` for every line; returns its results, each with its location. */
export function findLines(
  source: Source,
  check: (line: string, number: number) => string | undefined,
): string[] {
  return source.text.split('\n').flatMap((line, at) => {
    const wrong = check(line, at + 1);
    return wrong === undefined ? [] : [`${source.path}:${at + 1} ${wrong}`];
  });
}
