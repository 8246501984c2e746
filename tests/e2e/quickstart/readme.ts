//! Parses the README's quickstart into steps: files to save and commands to type.

export type Step =
  | { readonly kind: 'command'; readonly line: string }
  | { readonly kind: 'file'; readonly name: string; readonly text: string };

export interface Quickstart {
  readonly steps: readonly Step[];
  /** The number of words to read, code included. */
  readonly words: number;
}

const HEADS = ['Quickstart', 'Your own code'];
const BLOCK = /^```(\w*)\n([\s\S]*?)^```$/gm;

export function readQuickstart(readme: string): Quickstart {
  const text = HEADS.map((head) => sectionOf(readme, head)).join('\n');
  const blocks = [...text.matchAll(BLOCK)];
  return {
    steps: blocks.flatMap(([, language = '', inner = '']) => stepsOf(language, inner)),
    words: countWords(text),
  };
}

function countWords(text: string): number {
  const read = text.replace(/^```.*$/gm, '').split(/\s+/);
  return read.filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

function sectionOf(readme: string, head: string): string {
  const [, section] = readme.split(`\n## ${head}\n`);
  if (section === undefined) throw new Error(`README.md has no section "${head}"`);
  return section.split('\n## ')[0] ?? '';
}

function stepsOf(language: string, inner: string): Step[] {
  if (language === 'sh') {
    const lines = inner.split('\n').filter((line) => line.trim() !== '');
    return lines.map((line) => ({ kind: 'command', line }));
  }
  const [, name] = /^\/\/ ([\w.-]+)\n/.exec(inner) ?? [];
  if (name === undefined)
    throw new Error(`a block of README.md is neither typed nor saved: ${inner}`);
  return [{ kind: 'file', name, text: inner }];
}
