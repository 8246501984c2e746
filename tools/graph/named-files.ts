//! The files of the repository that a source file names: by import, by path, by folder.
//!
//! Nothing is parsed. Every string that could be an import or a path is compared with the existing
//! files, so a file that is started by its name counts like an imported one. A string that only
//! resembles a path gives an edge too many, never one too few.
import { readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

export interface Tree {
  readonly root: string;
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  /** Source files by the last part of their path. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
  readonly packages: readonly Package[];
}

interface Package {
  readonly name: string;
  readonly folder: string;
  readonly imports: Targets;
  readonly exports: Targets;
}

type Targets = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

const SOURCE = /\.(ts|tsx|js|mjs|cjs)$/;
/** A type cannot change what a test sees; the compiler looks after those. */
const TYPE_ONLY = /^(?:import|export) type [^;]*? from '[^']+';$/gm;
const COMMENT = /(?:^|\s)\/\/.*$|^\s*\/?\*.*$/gm;
const QUOTED = /(['"])((?:\\.|(?!\1)[^\\\n])*)\1/g;
const TEMPLATE = /[`}]([^`$\n{}]*)/g;
const PATH = /[\w.][\w./-]*\.\w+/g;
const LISTS = /\b(?:readdir|readdirSync|glob|globSync)\b|ls-files|dependency-cruiser/;

export function isSource(file: string): boolean {
  return SOURCE.test(file);
}

export function treeOf(root: string, files: readonly string[]): Tree {
  const folders = new Set<string>(['.']);
  const byName = new Map<string, string[]>();
  for (const file of files) {
    for (let at = dirname(file); at !== '.'; at = dirname(at)) folders.add(at);
    const name = posix.basename(file);
    if (isSource(file)) byName.set(name, [...(byName.get(name) ?? []), file]);
  }
  const packages = files.filter((file) => file.endsWith('/package.json')).map(packageAt);
  return { root, files: new Set(files), folders, byName, packages };

  function packageAt(file: string): Package {
    const { name, imports, exports } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
      name?: string;
      imports?: Targets;
      exports?: Targets;
    };
    const folder = dirname(file);
    return { name: name ?? folder, folder, imports: imports ?? {}, exports: exports ?? {} };
  }
}

export interface Named {
  readonly files: ReadonlySet<string>;
  /** It lists folders, and nothing in it says which: it may read the whole tree. */
  readonly isTreeReader: boolean;
}

export function namedBy(tree: Tree, file: string): Named {
  const text = readFileSync(join(tree.root, file), 'utf8').replace(TYPE_ONLY, '');
  const code = text.replace(COMMENT, '');
  const strings = new Set([
    ...[...code.matchAll(QUOTED)].map((match) => match[2] as string),
    ...[...code.matchAll(TEMPLATE)].map((match) => match[1] as string),
    ...[...code.matchAll(PATH)].map(([path]) => path),
  ]);
  const named = new Set<string>();
  for (const string of strings) for (const each of filesNamed(tree, file, string)) named.add(each);
  // Product code is handed its folders, or has them beside it; what reads our tree is a tool.
  const isTool = /^(tools|tests|bench|apps\/docs)\//.test(file);
  const lists = LISTS.test(code);
  const folders = lists || isTool ? foldersNamed(tree, file, [...strings], lists) : [];
  for (const folder of folders) addBelow(tree, folder, named);
  named.delete(file);
  return { files: named, isTreeReader: isTool && lists && folders.length === 0 };
}

function filesNamed(tree: Tree, from: string, string: string): string[] {
  if (string === '' || /[\s*]/.test(string)) return [];
  const isPath = /[./]/.test(string);
  const candidates = [
    ...throughPackages(tree, from, string),
    ...(isPath ? [posix.join(dirname(from), string), posix.normalize(string)] : []),
  ].flatMap((path) => [path, `${path}.ts`, `${path}.tsx`, path.replace(/\.js$/, '.ts')]);
  const found = candidates.filter((path) => tree.files.has(path));
  if (found.length > 0 || !isSource(string)) return found;
  // Only its end is written here: every file that ends like that may be meant.
  const end = string.replace(/^(\.*\/)+/, '');
  const sameName = tree.byName.get(posix.basename(end)) ?? [];
  return end.includes('/') ? sameName.filter((path) => path.endsWith(`/${end}`)) : [];
}

function throughPackages(tree: Tree, from: string, string: string): string[] {
  if (string.startsWith('#')) {
    const own = tree.packages.filter(({ folder }) => from.startsWith(`${folder}/`));
    return own.flatMap(({ folder, imports }) => targets(imports, string, folder));
  }
  return tree.packages
    .filter(({ name }) => string === name || string.startsWith(`${name}/`))
    .flatMap(({ name, folder, exports }) =>
      targets(exports, `.${string.slice(name.length)}`, folder),
    );
}

/** Where a package's map of imports or exports sends a name, under any of its conditions. */
function targets(map: Targets, name: string, folder: string): string[] {
  return Object.entries(map).flatMap(([pattern, target]) => {
    const [before = '', after] = pattern.split('*');
    const isMatch =
      after === undefined ? name === pattern : name.startsWith(before) && name.endsWith(after);
    if (!isMatch) return [];
    const middle = after === undefined ? '' : name.slice(before.length, name.length - after.length);
    return (typeof target === 'string' ? [target] : Object.values(target)).map((path) =>
      posix.join(folder, path.replace('*', middle)),
    );
  });
}

/** A word alone is a folder only in a file that lists folders; elsewhere it is just a word. */
function foldersNamed(
  tree: Tree,
  from: string,
  strings: readonly string[],
  lists: boolean,
): string[] {
  return strings.flatMap((string) => {
    const path = string.split('*')[0]?.replace(/\/$/, '') ?? '';
    if (!/\w/.test(path) || (!lists && !path.includes('/'))) return [];
    const exact = [posix.join(dirname(from), path), posix.normalize(path)];
    const found = exact.filter((folder) => tree.folders.has(folder));
    if (found.length > 0 || !lists) return found;
    return [...tree.folders].filter((folder) => folder.endsWith(`/${path}`));
  });
}

function addBelow(tree: Tree, folder: string, to: Set<string>): void {
  for (const file of tree.files) if (file.startsWith(`${folder}/`)) to.add(file);
}
