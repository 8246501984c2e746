//! Operations: the files of a module that surfaces, jobs and sagas call. Each exports its own name
//! (`create-order.ts` exports `createOrder`), or is named for the reads that it holds
//! (`read-orders.ts`); any other file is private to the modules.
import { basename, posix } from 'node:path';
import { MODULES } from './areas.ts';
import type { Source } from './source.ts';

const READS = /\/read-[a-z0-9-]+\.ts$/;

export function isOperation({ path, text }: Source): boolean {
  if (!MODULES.some((folder) => path.startsWith(`${folder}/`)) || path.endsWith('.test.ts')) {
    return false;
  }
  const words = basename(path, '.ts')
    .split('-')
    .map((word) => word[0]?.toUpperCase() + word.slice(1));
  const name = words.join('');
  const own = new RegExp(
    `^export (?:async )?(?:function|const|class) [${name[0]}${name[0]?.toLowerCase()}]${name.slice(1)}(?:Saga)?\\b`,
    'm',
  );
  return READS.test(path) || own.test(text);
}

const CALLERS = /^apps\/server\/src\/(api\/surface-[ab]\/|app\/(jobs|sagas)\.ts)/;
const IMPORT = /^import (?!type )(?:\{([^}]*)\}|\w+) from '(\.[^']+)';/gm;

/** The files of modules from which surfaces, jobs and sagas import more than types. */
export function calledFrom({ path, text }: Source): string[] {
  if (!CALLERS.test(path) || path.endsWith('.test.ts')) return [];
  return [...text.matchAll(IMPORT)]
    .filter(([, names]) => !names?.split(',').every((name) => /^\s*(type |$)/.test(name)))
    .map(([, , specifier = '']) => posix.join(posix.dirname(path), specifier))
    .filter((file) => MODULES.some((folder) => file.startsWith(`${folder}/`)));
}
