//! The reference page of the SDK, made from the doc comments of its sources.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { code, paragraphs, table } from './markdown.ts';

const FOLDER = 'packages/sdk';

interface Entry {
  /** As it is imported: `@holdfast/sdk/webhooks`. */
  readonly name: string;
  readonly file: string;
}

export function sdkPage(root: string): string {
  const entries = entriesOf(root);
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ESNext,
      customConditions: ['@holdfast/source'],
      allowImportingTsExtensions: true,
      noEmit: true,
      strict: true,
      types: [],
    },
  );
  const reader = new Reader(program);
  return paragraphs(
    '# SDK',
    '`npm install @holdfast/sdk`. TypeScript, no dependencies, for Node.js, Bun, Deno and edge ' +
      'runtimes. Every call is typed from the same contract as the service, so a misspelt field or ' +
      'event does not compile. The [guides](../guides/webhooks.md) show it at work; here is all of ' +
      'it, in the words of its doc comments.',
    ...entries.flatMap((entry) => entrySection(entry, reader)),
  );
}

function entriesOf(root: string): Entry[] {
  const manifest = readFileSync(join(root, FOLDER, 'package.json'), 'utf8');
  const { name, exports } = JSON.parse(manifest) as {
    name: string;
    exports: Record<string, string | { '@holdfast/source'?: string }>;
  };
  return Object.entries(exports).flatMap(([path, target]) => {
    const source = typeof target === 'string' ? undefined : target['@holdfast/source'];
    const file = join(root, FOLDER, source ?? '');
    if (source === undefined || !existsSync(file)) return [];
    return [{ name: `${name}${path.slice(1)}`, file }];
  });
}

function entrySection({ name, file }: Entry, reader: Reader): string[] {
  const exported = reader.exportsOf(file);
  // The base of the client is described as the client.
  const values = exported.filter((one) => one.isValue && one.name !== 'Resources');
  const types = exported.filter(({ isValue, description }) => !isValue && description !== '');
  return [
    `## ${name}`,
    ...values.flatMap((one) => [
      `### ${one.name}`,
      one.description,
      ...(one.members.length === 0 ? [] : [memberTable('Member', one.members)]),
      ...one.resources.flatMap(({ name: resource, description, members }) => [
        `#### holdfast.${resource}`,
        description,
        memberTable('Call', members),
      ]),
    ]),
    ...types
      .filter(({ members }) => members.length > 0)
      .flatMap((one) => [`### ${one.name}`, one.description, memberTable('Option', one.members)]),
    ...(types.length === 0
      ? []
      : [
          `### Types of ${name}`,
          table(
            ['Type', 'Is'],
            types.map((one) => [code(one.name), firstParagraph(one.description)]),
          ),
        ]),
  ].filter((part) => part !== '');
}

function memberTable(head: string, members: readonly Member[]): string {
  return table(
    [head, 'Does'],
    members.map(({ text, description }) => [code(text), firstParagraph(description)]),
  );
}

function firstParagraph(text: string): string {
  return text.split(/\n\n|\n```/)[0] ?? '';
}

interface Member {
  readonly text: string;
  readonly description: string;
}

interface Exported {
  readonly name: string;
  readonly isValue: boolean;
  readonly description: string;
  readonly members: readonly Member[];
  readonly resources: readonly {
    readonly name: string;
    readonly description: string;
    readonly members: readonly Member[];
  }[];
}

/** The compiler calls a well-known symbol `__@asyncIterator@738`, with a number of its own. */
function shownName({ name }: ts.Symbol): string {
  return name.replace(/^__@(\w+)@\d+$/, '[Symbol.$1]');
}

class Reader {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;

  constructor(program: ts.Program) {
    this.#program = program;
    this.#checker = program.getTypeChecker();
  }

  exportsOf(file: string): Exported[] {
    const source = this.#program.getSourceFile(file);
    const module = source && this.#checker.getSymbolAtLocation(source);
    if (module === undefined) return [];
    return this.#checker
      .getExportsOfModule(module)
      .map((symbol) => this.#exported(symbol))
      .sort((one, other) => Number(other.isValue) - Number(one.isValue));
  }

  #exported(alias: ts.Symbol): Exported {
    const isAlias = (alias.flags & ts.SymbolFlags.Alias) !== 0;
    const symbol = isAlias ? this.#checker.getAliasedSymbol(alias) : alias;
    const isClass = (symbol.flags & ts.SymbolFlags.Class) !== 0;
    const hasMembers = isClass || symbol.name.endsWith('Options');
    const parts = hasMembers ? this.#membersOf(this.#checker.getDeclaredTypeOfSymbol(symbol)) : [];
    const isResource = (part: ts.Symbol) => /Calls|^[A-Z]\w+s$/.test(this.#classNameOf(part));
    return {
      name: symbol.name,
      isValue: (symbol.flags & ts.SymbolFlags.Value) !== 0,
      description: this.#description(symbol),
      members: parts.filter((part) => !isResource(part)).map((part) => this.#member(part)),
      resources: parts.filter(isResource).map((part) => ({
        name: part.name,
        description: this.#description(part),
        members: this.#membersOf(this.#checker.getTypeOfSymbol(part)).map((one) =>
          this.#member(one),
        ),
      })),
    };
  }

  #membersOf(type: ts.Type): ts.Symbol[] {
    return type.getProperties().filter((one) => {
      const [declared] = one.declarations ?? [];
      if (declared === undefined || one.name.startsWith('#')) return false;
      const isOwn = declared.getSourceFile().fileName.includes(`${FOLDER}/src/`);
      const flags = ts.getCombinedModifierFlags(declared);
      return isOwn && (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) === 0;
    });
  }

  #classNameOf(symbol: ts.Symbol): string {
    const type = this.#checker.getTypeOfSymbol(symbol);
    return type.isClass() ? type.symbol.name : '';
  }

  #member(symbol: ts.Symbol): Member {
    const [signature] = this.#checker.getTypeOfSymbol(symbol).getCallSignatures();
    const parameters = signature?.getParameters().map((one) => {
      const declared = one.valueDeclaration as ts.ParameterDeclaration;
      const isOptional = declared.questionToken ?? declared.initializer;
      return isOptional ? `${one.name}?` : one.name;
    });
    const name = shownName(symbol);
    const text = parameters === undefined ? name : `${name}(${parameters.join(', ')})`;
    return { text, description: this.#description(symbol) };
  }

  #description(symbol: ts.Symbol): string {
    return ts.displayPartsToString(symbol.getDocumentationComment(this.#checker)).trim();
  }
}
