//! The pages of the documentation and the blocks of code in them, for the tests that run them.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');

export interface Block {
  readonly language: string;
  /** From `title="…"` after the language: the block is a file of that name. */
  readonly title: string | undefined;
  readonly text: string;
  readonly line: number;
}

export interface Page {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

const FENCE = /^```(\w*)([^\n]*)\n(.*?)^```$/gms;

export function readPage(path: string): Page {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const blocks = [...text.matchAll(FENCE)].map((match) => {
    const [, language = '', rest = '', code = ''] = match;
    const line = text.slice(0, match.index).split('\n').length;
    return { language, title: /title="([^"]+)"/.exec(rest)?.[1], text: code, line };
  });
  return { path, text, blocks };
}

/** The pages written by hand; the reference is generated and has tests of its own. */
export const handWritten: readonly Page[] = globSync(
  ['docs/*.md', 'docs/{concepts,guides,operations}/*.md', 'docs/operations/runbooks/*.md'],
  { cwd: ROOT },
)
  .sort()
  .map(readPage);

export const reference: readonly Page[] = globSync('docs/reference/**/*.md', { cwd: ROOT })
  .sort()
  .map(readPage);

/** The handwritten pages that have a block in this language. */
export function pagesWith(language: string): Page[] {
  return handWritten.filter((page) => page.blocks.some((one) => one.language === language));
}
