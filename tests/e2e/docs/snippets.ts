//! Writes the TypeScript of each page to a folder, to compile and run it there.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from 'typescript';
import { type Block, type Page, pagesWith, ROOT } from './pages.ts';

/** Inside the repository, so that imports of `@holdfast/sdk` and the frameworks resolve. */
const CACHE = join(ROOT, '.cache');

export interface Snippets {
  /** The errors of the compiler. */
  readonly faults: readonly string[];
  /** The folder of a page. */
  folderOf(page: Page): string;
  remove(): void;
}

/** This page leaves `handle` to the reader; `events.test.ts` supplies one, and crashes it. */
const LEFT_OPEN = 'docs/guides/events.md';

/** The untitled blocks of a page form one program, `main.ts`. */
export function writeSnippets(): Snippets {
  mkdirSync(CACHE, { recursive: true });
  const root = mkdtempSync(join(CACHE, 'docs-'));
  const folderOf = ({ path }: Page) => `${root}-${basename(path, '.md')}`;
  const folders: string[] = [root];
  const files = pagesWith('ts').flatMap((page) => {
    const folder = folderOf(page);
    mkdirSync(folder);
    folders.push(folder);
    const blocks = page.blocks.filter(({ language }) => language === 'ts');
    const isMain = ({ title }: Block) => title === undefined && page.path !== LEFT_OPEN;
    const main = blocks.filter(isMain).map(({ text }) => text);
    const named = blocks.filter(({ title }) => title !== undefined);
    const parts = [
      ...(main.length === 0 ? [] : [{ name: 'main.ts', text: main.join('\n') }]),
      ...named.map(({ title, text }) => ({ name: title as string, text })),
    ];
    for (const { name, text } of parts) writeFileSync(join(folder, name), text);
    return parts.map(({ name }) => join(folder, name));
  });
  return {
    faults: compile(files),
    folderOf,
    remove: () => {
      for (const folder of folders) rmSync(folder, { recursive: true });
    },
  };
}

const NODE_AND_WEB = ['lib.esnext.d.ts', 'lib.dom.d.ts'];

/** The errors of the compiler in these files. */
export function compile(files: readonly string[], lib: string[] = NODE_AND_WEB): string[] {
  const program = ts.createProgram([...files], {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    esModuleInterop: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    customConditions: ['@holdfast/source'],
    lib,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  });
  const own = new Set(files);
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file !== undefined && own.has(file.fileName))
    .map(({ file, start = 0, messageText }) => {
      const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
      const words = ts.flattenDiagnosticMessageText(messageText, '\n');
      return `${file?.fileName}:${line} ${words}`;
    });
}

export function runSnippet(
  folder: string,
  file: string,
  env: Readonly<Record<string, string>>,
): ChildProcess {
  return spawn(process.execPath, ['--conditions=@holdfast/source', file], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
