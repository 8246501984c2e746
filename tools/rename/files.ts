//! Moves files, and corrects references: imports, paths in documents, and bare file names.
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Texts } from './project.ts';

export interface Move {
  readonly from: string;
  readonly to: string;
}

const QUOTED = /(['"`])((?:\.\.?\/|#|@holdfast\/)[^'"`\n]+)\1/g;

export function moveFiles(root: string, before: Texts, moves: readonly Move[]): Texts {
  const moved = new Map(moves.map(({ from, to }) => [from, to]));
  for (const { from } of moves) {
    if (!before.has(from)) throw new Error(`${from} is not there to be moved`);
  }
  const rules = mentionRules(before, moves);
  const exists = (path: string) => before.has(path) || existsSync(join(root, path));
  return new Map(
    [...before].map(([path, text]) => {
      const target = moved.get(path) ?? path;
      const imported = renameImports(text, path, target, { moved, exists });
      return [target, rules.reduce((result, rule) => rule(result), imported)];
    }),
  );
}

function renameImports(
  text: string,
  path: string,
  target: string,
  { moved, exists }: { moved: ReadonlyMap<string, string>; exists: (path: string) => boolean },
): string {
  return text.replace(QUOTED, (whole, quote: string, specifier: string) => {
    const { base, rest } = readSpecifier(specifier, path);
    const ending = ['', '.ts', '.tsx'].find((one) => moved.has(base + rest + one)) ?? '';
    const leads = moved.get(base + rest + ending);
    const isRelative = specifier.startsWith('.');
    if (leads === undefined && (path === target || !isRelative || !exists(rest))) return whole;
    const meant = (leads ?? base + rest).slice(0, ending === '' ? undefined : -ending.length);
    if (!isRelative) {
      const alias = specifier.slice(0, specifier.length - rest.length);
      return `${quote}${alias}${meant.slice(base.length)}${quote}`;
    }
    const relative = posix.relative(posix.dirname(target), meant);
    return `${quote}${relative.startsWith('.') ? relative : `./${relative}`}${quote}`;
  });
}

/** Where a specifier leads: a folder of ours, and the rest below it. */
function readSpecifier(specifier: string, path: string): { base: string; rest: string } {
  const [, area = '', name = ''] = /^(apps|packages|examples)\/([^/]+)\//.exec(path) ?? [];
  if (specifier.startsWith('#')) return { base: `${area}/${name}/src/`, rest: specifier.slice(1) };
  const [, own, rest = ''] = /^@holdfast\/([^/]+)\/(.+)/.exec(specifier) ?? [];
  if (own === undefined) return { base: '', rest: posix.join(posix.dirname(path), specifier) };
  const isApp = ['cli', 'console', 'docs', 'sandbox', 'server'].includes(own);
  return { base: `${isApp ? 'apps' : 'packages'}/${own}/src/`, rest };
}

/** The whole path wherever it stands; the name alone where no other file has it. */
function mentionRules(
  before: Texts,
  moves: readonly Move[],
): readonly ((text: string) => string)[] {
  const names = Map.groupBy(before.keys(), (path) => posix.basename(path));
  return moves.map(({ from, to }) => {
    const [name, newName] = [posix.basename(from), posix.basename(to)];
    const isOnly = name !== newName && names.get(name)?.length === 1;
    const pattern = new RegExp(`(?<![\\w./-])${name.replaceAll('.', '\\.')}(?![\\w-])`, 'g');
    return (text) => {
      const whole = text.replaceAll(from, to);
      return isOnly ? whole.replace(pattern, newName) : whole;
    };
  });
}
