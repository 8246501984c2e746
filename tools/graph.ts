//! The import graph of this repository, and the tests that a change can affect.
//!
//! Conservative in these ways; where one of them does not hold, the result is all tests:
//! - any test may read a file that is no source (migrations, pages, settings); a document is read
//!   only by files that name it or its folder, and by tests that read the tree;
//! - a source file that no file names, nor a script of package.json, is found some other way;
//! - the importers of a deleted file are unknown, unless it was a test;
//! - setup that runs before all tests, and its imports, belong to all of them;
//! - a test that reads the tree as a whole belongs to every change.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSource, namedBy, treeOf } from './graph/named-files.ts';

const ROOT = join(import.meta.dirname, '..');
/** The files of the graph; all others configure the tools. */
const FOLDERS = /^(apps|packages|examples|tests|tools|bench)\//;
const FIXTURES = /^tools\/fixtures\//;
const TEST = /\.test\.tsx?$/;
const DOCUMENT = /\.mdx?$/;
/** Names what runs before the tests and beside them. */
const SET_UP = 'vitest.config.ts';

/** A test beside a file knows more of it than one in another folder that happens to use it. */
const ELSEWHERE = 4;
/** One that starts whole sets takes long, and knows a little of everything. */
const WHOLE = 10;

export interface Graph {
  readonly files: ReadonlySet<string>;
  /** For each file those that name it. */
  readonly users: ReadonlyMap<string, ReadonlySet<string>>;
  readonly treeReaders: readonly string[];
  /** Files that a script of package.json starts. */
  readonly started: ReadonlySet<string>;
}

export interface Related {
  /** Nearest first: by how many files stand between, and whether they share a folder. */
  readonly tests: readonly string[];
  /** Scripts of package.json that reach a changed file, nearest first. */
  readonly harnesses: readonly string[];
}

export function readGraph(root: string = ROOT, files: readonly string[] = listFiles(root)): Graph {
  const tree = treeOf(root, files);
  const users = new Map<string, Set<string>>();
  const treeReaders: string[] = [];
  for (const file of files.filter((each) => isInGraph(each) || each === SET_UP)) {
    const named = namedBy(tree, file);
    if (named.isTreeReader) treeReaders.push(file);
    for (const each of named.files) {
      const usersOfIt = users.get(each) ?? new Set();
      users.set(each, usersOfIt.add(file));
    }
  }
  const scripts = tree.files.has('package.json')
    ? readFileSync(join(root, 'package.json'), 'utf8')
    : '';
  const started = new Set([...scripts.matchAll(/[\w./-]+\.ts\b/g)].map(([path]) => path));
  return { files: tree.files, users, treeReaders, started };
}

/** The tests that a change to these files can affect. */
export function relatedTests(graph: Graph, changed: readonly string[]): Related | 'all' {
  const known = changed.filter((file) => graph.files.has(file) || !TEST.test(file));
  if (known.some((file) => !isTraceable(graph, file))) return 'all';
  return distances(graph, known).has(SET_UP) ? 'all' : nearestFirst(graph, known);
}

/** As far as the graph knows: where it does not, `relatedTests` returns all tests. */
export function nearestFirst(graph: Graph, changed: readonly string[]): Related {
  const near = distances(graph, changed);
  for (const [file, steps] of distances(graph, graph.treeReaders)) {
    // As far away as can be: it is there for any change, so it says least about this one.
    if (changed.length > 0 && !near.has(file)) near.set(file, 1000 + steps);
  }
  const folders = new Set(changed.map((file) => dirname(file)));
  const own = new Set(changed.map((file) => file.replace(/\.tsx?$/, '.test.ts')));
  const distance = (file: string, steps: number) => {
    if (own.has(file)) return 0;
    return steps + (folders.has(dirname(file)) ? 0 : isWhole(file) ? WHOLE : ELSEWHERE);
  };
  const sorted = [...near]
    .map(([file, steps]) => ({ file, steps: distance(file, steps) }))
    .sort((a, b) => a.steps - b.steps || a.file.localeCompare(b.file))
    .map(({ file }) => file);
  return {
    tests: sorted.filter(isTest),
    harnesses: sorted.filter((file) => graph.started.has(file)),
  };
}

/** The tests that the changes since a commit can touch, committed or not. */
export function testsSince(rev: string, root: string = ROOT): readonly string[] | 'all' {
  const related = relatedTests(readGraph(root), changedSince(rev, root));
  return related === 'all' ? 'all' : related.tests;
}

export function changedSince(rev: string, root: string = ROOT): string[] {
  // Without renames: the old name counts as a file that is gone.
  const changed = git(root, ['diff', '--name-only', '--no-renames', '-z', rev, '--']);
  return [...changed, ...git(root, ['ls-files', '--others', '--exclude-standard', '-z'])];
}

/** Every test file, in no order. */
export function allTests(graph: Graph): string[] {
  return [...graph.files].filter(isTest);
}

function isTest(file: string): boolean {
  return TEST.test(file) && isInGraph(file);
}

function isInGraph(file: string): boolean {
  return FOLDERS.test(file) && isSource(file) && !FIXTURES.test(file);
}

/** These start whole sets of processes. */
function isWhole(file: string): boolean {
  return /^(tests|tools|apps\/cli)\//.test(file);
}

function isTraceable(graph: Graph, file: string): boolean {
  if (DOCUMENT.test(file)) return true;
  if (!graph.files.has(file) || !isInGraph(file)) return false;
  return isTest(file) || graph.started.has(file) || (graph.users.get(file)?.size ?? 0) > 0;
}

function distances(graph: Graph, from: readonly string[]): Map<string, number> {
  const steps = new Map(from.map((file) => [file, 0]));
  // A map hands out what is added while it is walked: this is breadth first.
  for (const [file, before] of steps) {
    for (const user of graph.users.get(file) ?? []) {
      if (!steps.has(user)) steps.set(user, before + 1);
    }
  }
  return steps;
}

function listFiles(root: string): string[] {
  const listed = git(root, ['ls-files', '--cached', '--others', '--exclude-standard', '-z']);
  return [...new Set(listed)].filter((file) => existsSync(join(root, file)));
}

function git(root: string, args: readonly string[]): string[] {
  const output = execFileSync('git', [...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return output.split('\0').filter((line) => line !== '');
}
