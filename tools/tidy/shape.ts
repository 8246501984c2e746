//! Checks the first line of a file, its kind, and the files that must stand beside it.
import { dirname, extname } from 'node:path';
import ts from 'typescript';
import { calledFrom } from './operations.ts';
import { type Check, findNodes, isTypeScript, type Repository, treeOf } from './source.ts';

export const openingLine: Check = {
  name: 'a source file opens with a line that says what it is for',
  find({ path, text }) {
    // A test beside its code says by its name what it is for.
    if (/^(apps|packages)\/.*\.test\.tsx?$/.test(path)) return [];
    if (isTypeScript(path)) return /^\/\/! \S.{5,}/.test(text) ? [] : [`${path} has no //! line`];
    if (path.endsWith('.sql')) return /^-- \S.{5,}/.test(text) ? [] : [`${path} has no -- line`];
    return [];
  },
};

export const barrels: Check = {
  name: 'an import names the file that holds the thing: no file only re-exports',
  find(source) {
    if (!isTypeScript(source.path)) return [];
    const { statements } = treeOf(source);
    const passes = statements.filter(
      (one) => ts.isExportDeclaration(one) && one.moduleSpecifier !== undefined,
    );
    const carries = statements.filter(
      (one) => !ts.isExportDeclaration(one) && !ts.isImportDeclaration(one),
    );
    return passes.length > 0 && carries.length === 0 ? [`${source.path} only re-exports`] : [];
  },
};

export const testBeside: Check = {
  name: 'every operation has a test beside it',
  find(source, { paths }) {
    return calledFrom(source)
      .filter((path) => !paths.has(path.replace(/\.ts$/, '.test.ts')))
      .map((path) => `${path}, called by ${source.path}, has no test beside it`);
  },
};

const FILES_MAX = 40;
/** Lists that are searched, not read. */
const LONG_FOLDERS = /^docs\/(decisions|reference)\b|\/generated$/;
const foldersOf = new WeakMap<Repository, ReadonlyMap<string, readonly string[]>>();

export const folderSize: Check = {
  name: 'a folder has at most 40 files',
  find({ path }, repository) {
    const folders = foldersOf.get(repository) ?? Map.groupBy([...repository.paths].sort(), dirname);
    foldersOf.set(repository, folders);
    const [first, ...others] = (folders.get(dirname(path)) ?? []).filter((one) => extname(one));
    // Reported once, with its first file.
    if (first !== path || others.length < FILES_MAX || LONG_FOLDERS.test(dirname(path))) return [];
    return [`${dirname(path)} has ${others.length + 1} files`];
  },
};

/** A provider may take seconds or never reply; a transaction that waits for it holds its locks. */
export const noCallInTransaction: Check = {
  name: 'no provider is called inside a transaction',
  find: (source) =>
    findNodes(source, (node) => {
      if (!ts.isCallExpression(node) || !/Provider\.|^fetch$/.test(node.expression.getText())) {
        return undefined;
      }
      for (let above: ts.Node = node.parent; above.parent; above = above.parent) {
        if (ts.isCallExpression(above) && /^transact\b/.test(above.expression.getText())) {
          return `${node.expression.getText()} inside transact`;
        }
      }
      return undefined;
    }),
};
