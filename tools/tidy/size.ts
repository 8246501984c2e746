//! Checks the length of files, functions and lines.
import ts from 'typescript';
import { type Check, findLines, findNodes, isTypeScript, type Source, treeOf } from './source.ts';

const FILE_LINES_MAX = 300;
const FUNCTION_LINES_MAX = 70;
const COLUMNS_MAX = 100;

/** Tables of the published truth and SQL grow with what they list, not with what they do. */
const LONG_FILES: Readonly<Record<string, string>> = {
  'apps/server/src/platform/database/generated/tables.ts': 'generated: the columns of every table',
  'packages/sdk/src/generated/error-codes.ts': 'generated: the details of every error',
  'packages/sdk/src/generated/event-types.ts': 'generated: the payload of every event',
};

export const fileLength: Check = {
  name: `a source file has at most ${FILE_LINES_MAX} lines`,
  find(source) {
    if (!isTypeScript(source.path) || Object.hasOwn(LONG_FILES, source.path)) return [];
    const lines = source.text.trimEnd().split('\n').length;
    return lines > FILE_LINES_MAX ? [`${source.path} has ${lines} lines`] : [];
  },
};

export const functionLength: Check = {
  name: `a function has at most ${FUNCTION_LINES_MAX} lines`,
  find: (source) =>
    findNodes(source, (node) => {
      if (!ts.isFunctionLike(node) || isSuite(node)) return undefined;
      const lines = node.getText().split('\n').length;
      return lines > FUNCTION_LINES_MAX ? `a function of ${lines} lines` : undefined;
    }),
};

/** The body of `describe` is a list of tests, not a function that a reader takes as one. */
function isSuite(node: ts.Node): boolean {
  const { parent } = node;
  return ts.isCallExpression(parent) && /^describe\b/.test(parent.expression.getText());
}

export const columns: Check = {
  name: `a line has at most ${COLUMNS_MAX} columns, tables and strings apart`,
  find(source) {
    if (!isTypeScript(source.path)) return [];
    const isLong = (line: string) => line.length > COLUMNS_MAX;
    if (!source.text.split('\n').some(isLong)) return [];
    const exempt = exemptLines(source);
    return findLines(source, (line, number) =>
      isLong(line) && !exempt.has(number) ? `${line.length} columns` : undefined,
    );
  },
};

/** Lines of tables (marked `biome-ignore format`), imports, and anything that cannot be broken. */
function exemptLines(source: Source): Set<number> {
  const tree = treeOf(source);
  const lineAt = (position: number) => tree.getLineAndCharacterOfPosition(position).line + 1;
  const exempt = new Set<number>();
  const add = (from: number, to: number) => {
    for (let line = lineAt(from); line <= lineAt(to); line += 1) exempt.add(line);
  };
  const walk = (node: ts.Node): void => {
    const comments = source.text.slice(node.getFullStart(), node.getStart(tree));
    const isTable = comments.includes('biome-ignore format');
    const isWhole =
      ts.isImportDeclaration(node) ||
      ts.isStringLiteral(node) ||
      ts.isTemplateLiteral(node) ||
      node.kind === ts.SyntaxKind.RegularExpressionLiteral;
    if (isTable || isWhole) add(node.getStart(tree), node.getEnd());
    else ts.forEachChild(node, walk);
  };
  ts.forEachChild(tree, walk);
  return exempt;
}
