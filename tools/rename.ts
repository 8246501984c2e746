//! Renames identifiers and files over the whole repository: `npm run rename -- renames.txt`.
//!
//! Each line of the list is `from to [folder or file]` for a name that is declared there, or
//! `path path` for a file. Texts, comments and SQL are left to the author; `npm run check` then
//! finds other mentions of the old names.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Move, moveFiles } from './rename/files.ts';
import type { Texts } from './rename/project.ts';
import { type Rule, renameSymbols } from './rename/symbols.ts';

const READ = /\.(tsx?|mjs|cjs|md|sql|json|ya?ml|svg|css)$|CODEOWNERS$/;
const LEFT = /^tools\/fixtures\/|package-lock\.json$|^CHANGELOG\.md$/;
const CODE = /\.tsx?$/;

export interface Renames {
  readonly rules: readonly Rule[];
  readonly moves: readonly Move[];
}

export function readRenames(text: string): Renames {
  const rules: Rule[] = [];
  const moves: Move[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    const [from, to, within = '', ...rest] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (!from) continue;
    if (!to || rest.length > 0) throw new Error(`line ${at + 1}: from to [folder or file]`);
    if (from.includes('/')) moves.push({ from, to });
    else rules.push({ from, to, within });
  }
  return { rules, moves };
}

export interface Result {
  readonly texts: Texts;
  readonly conflicts: readonly string[];
}

export function renameAll(root: string, before: Texts, { rules, moves }: Renames): Result {
  const code = new Map([...before].filter(([path]) => CODE.test(path)));
  const { texts, conflicts } = renameSymbols(root, code, rules);
  return { texts: moveFiles(root, new Map([...before, ...texts]), moves), conflicts };
}

function readTexts(root: string): Texts {
  const listed = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' });
  const paths = listed.split('\n').filter((path) => READ.test(path) && !LEFT.test(path));
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

function run(listPath: string): void {
  const root = join(import.meta.dirname, '..');
  const before = readTexts(root);
  const renames = readRenames(readFileSync(listPath, 'utf8'));
  const { texts, conflicts } = renameAll(root, before, renames);
  for (const { from, to } of renames.moves) {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    renameSync(join(root, from), join(root, to));
  }
  const changed = [...texts].filter(([path, text]) => before.get(path) !== text);
  for (const [path, text] of changed) writeFileSync(join(root, path), text);
  const lines = [...conflicts, `${changed.length} files changed, ${conflicts.length} names left`];
  process.stdout.write(`${lines.join('\n')}\n`);
}

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [listPath] = positionals;
  if (!listPath) throw new Error('usage: npm run rename -- renames.txt');
  run(listPath);
}
