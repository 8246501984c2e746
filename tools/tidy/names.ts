//! Checks the names of files and of exports.
import ts from 'typescript';
import { type Check, findNodes, isTest, isTypeScript } from './source.ts';

const FILE_NAMES: readonly RegExp[] = [
  /^[a-z0-9]+(-[a-z0-9]+)*(\.(routes|view|test|http|vault|config))*\.(tsx?|html|css|sql|md|svg|png|yaml|yml|json)$/,
  /^\d{4}_[a-z0-9]+(_[a-z0-9]+)*(\.online\.sql|\.sql|\.mjs)$/,
  // Named for the SQL function in it.
  /^[a-z0-9]+(_[a-z0-9]+)*\.sql$/,
  /^\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.md$/,
];

/** Names that tools and hosts look for. */
const CUSTOMARY =
  /^(README|ARCHITECTURE|CONTRIBUTING|CHANGELOG|SECURITY)\.md$|^LICENSE$|^\.?[a-z._-]+$|^tsconfig\.[a-z]+\.json$|^(CODEOWNERS|PULL_REQUEST_TEMPLATE\.md)$|^Containerfile(\.[a-z]+)?$|^[a-z-]+@\.service$/;
const FREE_FOLDERS = /^(\.github|\.ci|deploy|docs\/reference|examples\/[^/]+\/public)\//;

export const fileNames: Check = {
  name: 'files are named in kebab-case, with the known suffixes only',
  find({ path }) {
    const name = path.split('/').at(-1) ?? '';
    const isRoot =
      !path.includes('/') || /^(README\.md|LICENSE)$/.test(name) || FREE_FOLDERS.test(path);
    if (FILE_NAMES.some((form) => form.test(name))) return [];
    return isRoot && CUSTOMARY.test(name) ? [] : [`${path} is not a name we use`];
  },
};

/** Words that say nothing about what a thing does. */
const EMPTY_PART = /(Service|Manager|Handler|Helper|Util|Utils|Common|Base|Impl)(?=$|[A-Z])/;

export const nameParts: Check = {
  name: 'exported names say what a thing does',
  find: (source) =>
    findNodes(source, (node) => {
      const name = /^(apps|packages)\//.test(source.path) ? exportedName(node) : undefined;
      const part = name === undefined ? null : EMPTY_PART.exec(capital(name));
      return part ? `${name}: ${part[1]} says nothing` : undefined;
    }),
};

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function exportedName(node: ts.Node): string | undefined {
  const isNamed =
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isVariableDeclaration(node);
  if (!isNamed || !node.name || !ts.isIdentifier(node.name)) return undefined;
  const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  const isExported = modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  return isExported ? node.name.text : undefined;
}

/** The glossary's words instead. The wire keeps its words; the books may say `account`. */
const GLOSSARY: Readonly<Record<string, string>> = {
  ledger: 'network (the public one) or books (ours)',
  held: 'reserved',
  transaction: 'tx, networkTx or historyLine',
  account: 'user, paymentAccount or bookAccount',
};
const SPEAKS_CODE = /^apps\/server\/src\/(?!api\/surface-[ab]\/|providers\/|assurance\/ledger\/)/;

export const glossaryWords: Check = {
  name: 'one word has one meaning (docs/glossary.md)',
  find(source) {
    if (!SPEAKS_CODE.test(source.path) || !isTypeScript(source.path) || isTest(source.path)) {
      return [];
    }
    return findNodes(source, (node) => {
      const name = declaredName(node);
      const isOwnWord =
        name === 'account' && source.path.startsWith('apps/server/src/accounts/books/');
      const better = name === undefined || isOwnWord ? undefined : GLOSSARY[name];
      return better === undefined ? undefined : `${name}: say ${better}`;
    });
  },
};

function declaredName(node: ts.Node): string | undefined {
  const declares =
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isBindingElement(node);
  return declares && node.name && ts.isIdentifier(node.name) ? node.name.text : undefined;
}
