//! Renames declared names wherever the compiler says that the same thing is meant.
//!
//! A rule holds where a name is *declared*: uses in other folders follow. A rename that would make
//! two things in one scope share a name is left out and reported.
import ts from 'typescript';
import { openProject, type Project, type Texts } from './project.ts';

export interface Rule {
  readonly from: string;
  readonly to: string;
  /** Beginnings of paths; the longest one that fits a file decides. Empty: everywhere. */
  readonly within: string;
}

export interface Renamed {
  readonly texts: Texts;
  readonly conflicts: readonly string[];
}

/** How often the project is read again: `{ from }` turns into `{ from: to }` before `{ to }`. */
const PASSES_MAX = 30;

export function renameSymbols(root: string, before: Texts, rules: readonly Rule[]): Renamed {
  const texts = new Map(before);
  const conflicts = new Set<string>();
  for (let pass = 1; pass <= PASSES_MAX; pass += 1) {
    const changed = runPass(openProject(root, texts), texts, rules, conflicts);
    if (changed === 0) break;
  }
  return { texts, conflicts: [...conflicts] };
}

/** The replacement of one identifier. */
interface Edit {
  readonly start: number;
  readonly end: number;
  /** Of a shorthand or an import: the new name outside, the new name inside, or both. */
  outer?: string;
  inner?: string;
  joint?: string;
  plain?: string;
}

function runPass(
  project: Project,
  texts: Texts,
  rules: readonly Rule[],
  conflicts: Set<string>,
): number {
  const edits = new Map<string, Map<number, Edit>>();
  // Two names that become one are renamed in separate passes, so that a clash is seen.
  const sources = new Map<string, string>();
  for (const path of texts.keys()) {
    for (const node of declaredNames(project.fileOf(path))) {
      const rule = ruleFor(rules, path, node.text);
      if (!rule || edits.get(path)?.has(node.getStart())) continue;
      if ((sources.get(rule.to) ?? rule.from) !== rule.from) continue;
      const isRenamed = renameOne(project, { path, node, rule, edits, conflicts });
      if (isRenamed) sources.set(rule.to, rule.from);
    }
  }
  for (const [path, inFile] of edits) {
    texts.set(path, applyEdits(texts.get(path) ?? '', [...inFile.values()]));
  }
  return edits.size;
}

/** A rule holds for the private name of a class, too: `#from` becomes `#to`. */
function ruleFor(rules: readonly Rule[], path: string, name: string): Rule | undefined {
  const [best] = rules
    .filter(({ from, within }) => from === name.replace('#', '') && path.startsWith(within))
    .sort((a, b) => b.within.length - a.within.length);
  if (best === undefined || best.to === best.from) return undefined;
  return name.startsWith('#') ? { ...best, from: name, to: `#${best.to}` } : best;
}

type Name = ts.Identifier | ts.PrivateIdentifier;

function declaredNames(file: ts.SourceFile): Name[] {
  const found: Name[] = [];
  const walk = (node: ts.Node): void => {
    if (ts.isMemberName(node) && isDeclaredHere(node)) found.push(node);
    ts.forEachChild(node, walk);
  };
  walk(file);
  return found;
}

function isDeclaredHere(node: Name): boolean {
  const { parent } = node;
  if (ts.isBindingElement(parent)) return parent.name === node || parent.propertyName === node;
  if (ts.isShorthandPropertyAssignment(parent) || ts.isImportSpecifier(parent)) return false;
  if (ts.isExportSpecifier(parent) || ts.isJsxAttribute(parent)) return false;
  return (parent as ts.NamedDeclaration).name === node && !ts.isPropertyAccessExpression(parent);
}

interface Start {
  readonly path: string;
  readonly node: Name;
  readonly rule: Rule;
  readonly edits: Map<string, Map<number, Edit>>;
  readonly conflicts: Set<string>;
}

/** Whether it was renamed. */
function renameOne(project: Project, start: Start): boolean {
  const { path, node, rule, edits, conflicts } = start;
  const found = locationsOf(project, node);
  if (found === undefined || isDeclaredElsewhere(node, found)) return false;
  const clash = found.find(({ name }) => clashes(project, name, rule.to));
  if (clash) {
    const where = project.pathOf(clash.location.fileName);
    conflicts.add(`${path}: ${rule.from} cannot be ${rule.to}, which ${where} has in that scope`);
    return false;
  }
  for (const { location } of found) addEdit(project, edits, location, rule.to);
  return true;
}

/** Undefined for a name that is not ours to change: of a library, or of the language. */
function locationsOf(project: Project, node: ts.Node): Found[] | undefined {
  const { fileName } = node.getSourceFile();
  const at = node.getStart();
  if (!project.service.getRenameInfo(fileName, at, {}).canRename) return undefined;
  const definitions = project.service.getDefinitionAtPosition(fileName, at) ?? [];
  if (definitions.some((one) => project.pathOf(one.fileName) === undefined)) return undefined;
  const preferences = { providePrefixAndSuffixTextForRename: true };
  const locations = project.service.findRenameLocations(fileName, at, false, false, preferences);
  const found: Found[] = [];
  for (const location of locations ?? []) {
    const name = nodeAt(project, location);
    if (name === undefined) return undefined;
    found.push({ location, name });
    // An import keeps its local name unless that is renamed, too.
    if (location.suffixText?.startsWith(' as ')) found.push(...(locationsOf(project, name) ?? []));
  }
  return found;
}

interface Found {
  readonly location: ts.RenameLocation;
  readonly name: ts.Node;
}

function nodeAt(project: Project, { fileName, textSpan }: ts.RenameLocation): ts.Node | undefined {
  const path = project.pathOf(fileName);
  if (path === undefined) return undefined;
  let node: ts.Node = project.fileOf(path);
  for (;;) {
    const inner: ts.Node | undefined = ts.forEachChild(node, (child) =>
      child.getStart() <= textSpan.start && textSpan.start < child.end ? child : undefined,
    );
    if (inner === undefined) return node;
    node = inner;
  }
}

/** The rule of an interface decides, and not that of a literal which has its shape. */
function isDeclaredElsewhere(node: Name, found: readonly Found[]): boolean {
  const { parent } = node;
  const isLiteral =
    ts.isPropertyAssignment(parent) ||
    (ts.isBindingElement(parent) && parent.propertyName === node);
  return isLiteral && found.some(({ name }) => name !== node && isMember(name.parent));
}

function isMember(node: ts.Node): boolean {
  return (
    ts.isPropertySignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isMethodDeclaration(node)
  );
}

interface NameResolver {
  resolveName(
    name: string,
    location: ts.Node,
    meaning: ts.SymbolFlags,
    excludeGlobals: boolean,
  ): ts.Symbol | undefined;
}

/** Whether the new name already means something where the old one stands. */
function clashes(project: Project, name: ts.Node, to: string): boolean {
  if (isProperty(name)) return false;
  // Not in the published types, though the language service itself relies on it.
  const checker = project.program.getTypeChecker() as unknown as NameResolver;
  const meaning = ts.SymbolFlags.Value | ts.SymbolFlags.Type | ts.SymbolFlags.Alias;
  return checker.resolveName(to, name, meaning, true) !== undefined;
}

function isProperty(node: ts.Node): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isBindingElement(parent) && parent.propertyName === node) ||
    isMember(parent) ||
    ts.isJsxAttribute(parent) ||
    ts.isStringLiteralLike(node)
  );
}

function addEdit(
  project: Project,
  edits: Map<string, Map<number, Edit>>,
  { fileName, textSpan, prefixText, suffixText }: ts.RenameLocation,
  to: string,
): void {
  const path = project.pathOf(fileName) ?? '';
  const inFile = edits.get(path) ?? new Map<number, Edit>();
  const { start, length } = textSpan;
  const edit: Edit = inFile.get(start) ?? { start, end: start + length };
  if (prefixText) Object.assign(edit, { inner: to, joint: jointOf(prefixText) });
  else if (suffixText) Object.assign(edit, { outer: to, joint: jointOf(suffixText) });
  else edit.plain = to;
  edits.set(path, inFile.set(start, edit));
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = text;
  for (const edit of [...edits].sort((a, b) => b.start - a.start)) {
    const old = text.slice(edit.start, edit.end);
    result = result.slice(0, edit.start) + replacement(edit, old) + result.slice(edit.end);
  }
  return result;
}

function jointOf(text: string): string {
  return text.includes(' as ') ? ' as ' : ': ';
}

function replacement({ plain, outer, inner, joint }: Edit, old: string): string {
  if (plain !== undefined) return plain;
  const [name, value] = [outer ?? old, inner ?? old];
  return name === value ? name : `${name}${joint}${value}`;
}
