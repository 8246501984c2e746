//! One language service over every TypeScript file of the repository, so that a rename in one
//! package reaches the others.
import { dirname, join } from 'node:path';
import ts from 'typescript';

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  lib: ['lib.es2024.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  customConditions: ['@holdfast/source'],
  jsx: ts.JsxEmit.ReactJSX,
  types: ['node'],
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
  skipLibCheck: true,
};

/** Parsed libraries and unchanged files are shared by all projects of a process. */
const registry = ts.createDocumentRegistry();

/** The texts by path from the root. The service reads them from the map and the rest from disk. */
export type Texts = Map<string, string>;

export interface Project {
  readonly service: ts.LanguageService;
  readonly program: ts.Program;
  readonly fileOf: (path: string) => ts.SourceFile;
  /** The path from the root, or undefined for a file that is not in the project. */
  readonly pathOf: (fileName: string) => string | undefined;
}

export function openProject(root: string, texts: Texts): Project {
  const byFileName = new Map([...texts].map(([path, text]) => [join(root, path), text]));
  const pathOf = (fileName: string): string | undefined =>
    byFileName.has(fileName) ? fileName.slice(root.length).replace(/^\//, '') : undefined;
  const readFile = (fileName: string): string | undefined =>
    byFileName.get(fileName) ?? ts.sys.readFile(fileName);
  const folders = new Set([...byFileName.keys()].flatMap(foldersAbove));
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => OPTIONS,
    getScriptFileNames: () => [...byFileName.keys()],
    // A text is its own version.
    getScriptVersion: (fileName) => byFileName.get(fileName) ?? '1',
    getScriptSnapshot(fileName) {
      const text = readFile(fileName);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: (fileName) => byFileName.has(fileName) || ts.sys.fileExists(fileName),
    readFile,
    readDirectory: (...options) => ts.sys.readDirectory(...options),
    directoryExists: (folder) => folders.has(folder) || ts.sys.directoryExists(folder),
    getDirectories: (folder) => ts.sys.getDirectories(folder),
    realpath: (fileName) => ts.sys.realpath?.(fileName) ?? fileName,
  };
  const service = ts.createLanguageService(host, registry);
  const program = service.getProgram();
  if (program === undefined) throw new Error('the language service has no program');
  return {
    service,
    program,
    pathOf,
    fileOf(path) {
      const file = program.getSourceFile(join(root, path));
      if (file === undefined) throw new Error(`${path} is not in the project`);
      return file;
    },
  };
}

function foldersAbove(fileName: string): string[] {
  const folder = dirname(fileName);
  return folder === fileName ? [] : [folder, ...foldersAbove(folder)];
}
