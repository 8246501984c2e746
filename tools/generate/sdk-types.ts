//! Turns the contract's schemas into TypeScript: named types, records, and the shapes of requests.
import * as audit from '@holdfast/contract/audit-actions';
import * as words from '@holdfast/contract/enums';
import { EVENT_NAMES } from '@holdfast/contract/events';
import { ORDER_ACTION_NAMES } from '@holdfast/contract/lifecycle';
import { type Machine, statesOf } from '@holdfast/contract/machine';
import { machines } from '@holdfast/contract/machines';
import { SHOWN_ESCROW_STATES } from '@holdfast/contract/machines/escrow-machine';
import { CURRENCY_CODES } from '@holdfast/kernel/currency';
import { idPattern, PREFIXES, type Prefix } from '@holdfast/kernel/ids';
import { allowsNull, type JsonSchema } from './schema.ts';
import { FIELD_DOCS } from './sdk-field-docs.ts';
import { pascal, singular } from './sdk-names.ts';

const COLUMNS = 100;

/** Where a type stands: what comes in is taken more freely than what goes out is promised. */
export type Side = 'input' | 'response';

const ID_NAMES: Partial<Record<Prefix, string>> = { op: 'OperationId' };

/** `ord` is OrderId: any text that starts with `ord_`. */
const idTypes = new Map(
  (Object.entries(PREFIXES) as [Prefix, string][]).map(([prefix, description]) => [
    idPattern(prefix),
    {
      prefix,
      description,
      name: ID_NAMES[prefix] ?? `${pascal(description.toLowerCase().replace('-', ''))}Id`,
    },
  ]),
);

const scalarTypes: readonly (readonly [name: string, pattern: string, means: string])[] = [
  ['Amount', '^\\d+\\.\\d{2}$', 'An amount of money: a decimal string with two places.'],
  ['SignedAmount', '^-?\\d+\\.\\d{2}$', 'A difference of money: two places, and a sign.'],
  ['NetworkAmount', '^-?\\d+(\\.\\d{1,7})?$', 'An amount on the network: up to seven places.'],
  ['Rate', '^\\d{1,2}\\.\\d{2}$', 'A percentage with two places.'],
];

/** Lists of words by their content, so that each use finds the name of its list. */
const wordTypes = new Map<string, { name: string; values: readonly string[] }>();

function nameWords(name: string, values: readonly string[]): void {
  if (!wordTypes.has(values.join())) wordTypes.set(values.join(), { name, values });
}

/** The order of a module's names is the loader's affair, so it is made ours. */
function byName(module: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(module).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

nameWords('Currency', CURRENCY_CODES);
for (const machine of Object.values<Machine>(machines)) {
  nameWords(`${pascal(machine.name)}Status`, statesOf(machine));
}
nameWords('ShownEscrowStatus', SHOWN_ESCROW_STATES);
nameWords('OrderAction', ORDER_ACTION_NAMES);
nameWords('EventType', EVENT_NAMES);
for (const [name, values] of byName({ ...words, ...audit })) {
  if (Array.isArray(values) && values.every((value) => typeof value === 'string')) {
    nameWords(pascal(singular(name).toLowerCase()), values);
  }
}

/** Fills lines with the members of a union. */
export function union(members: readonly string[], indent = '  '): string {
  const line = members.join(' | ');
  if (line.length + indent.length < COLUMNS - 40) return line;
  const lines: string[] = [];
  let current = '';
  for (const member of members) {
    const longer = `${current} | ${member}`;
    if (indent.length + longer.length > COLUMNS - 1 && current !== '') {
      lines.push(indent + current.trim());
      current = ` | ${member}`;
    } else current = longer;
  }
  lines.push(indent + current.trim());
  return `\n${lines.join('\n')}`;
}

/** A union on lines of its own needs no blank before it. */
const after = (text: string) => (text.startsWith('\n') ? text : ` ${text}`);

export const quoted = (text: string) => `'${text}'`;

/** Fills lines of at most so many columns. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > columns && line !== '') {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

/** A doc comment, on one line if it fits. */
export function docLines(text: string, indent = '  '): string {
  const line = `${indent}/** ${text} */`;
  if (line.length <= COLUMNS) return line;
  const lines = wrap(text, COLUMNS - indent.length - 3).map((one) => `${indent} * ${one}`);
  return [`${indent}/**`, ...lines, `${indent} */`].join('\n');
}

/** The file of named scalars, ids and word lists. */
export function wordsFile(): string {
  const scalars = scalarTypes.map(
    ([name, , description]) => `/** ${description} */\nexport type ${name} = string;`,
  );
  const ids = [...idTypes.values()].map(
    ({ prefix, description, name }) =>
      `/** The id of ${/^[aeioA]/.test(description) ? 'an' : 'a'} ${description}. */\n` +
      `export type ${name} = \`${prefix}_\${string}\`;`,
  );
  const lists = [...wordTypes.values()]
    .filter(({ name }) => name !== 'EventType')
    .map(({ name, values }) => `export type ${name} =${after(union(values.map(quoted)))};`);
  return [
    ...scalars,
    '/** A time in ISO 8601, UTC. */\nexport type Instant = string;',
    `/** An amount to send: a decimal string, or a \`Money\` of \`@holdfast/sdk/money\`. */
export type AmountInput = string | { readonly currency: string; toJSON(): string };`,
    ids.join('\n'),
    lists.join('\n\n'),
  ].join('\n\n');
}

/** Writes types, and remembers which names it used and which records it met. */
export class TypeWriter {
  readonly used = new Set<string>();
  readonly #onRecord: (schema: JsonSchema) => void;

  constructor(onRecord: (schema: JsonSchema) => void) {
    this.#onRecord = onRecord;
  }

  /** The members of an interface, each on its line. */
  fields(schema: JsonSchema, side: Side, without: readonly string[] = [], indent = '  '): string {
    const { properties = {}, required = [] } = schema;
    return Object.entries(properties)
      .filter(([name]) => !without.includes(name))
      .map(([name, part]) => {
        const isOptional = !required.includes(name);
        const type = this.type(part, side, name, indent);
        const description = fieldDoc(name, part);
        const doc = description === undefined ? '' : `${docLines(description, indent)}\n`;
        // A caller that compiles with exactOptionalPropertyTypes may still pass undefined.
        const isOpen = isOptional && side === 'input' && type !== 'undefined';
        const open = isOpen ? `${type} | undefined` : type;
        return `${doc}${indent}readonly ${property(name)}${isOptional ? '?' : ''}: ${open};`;
      })
      .join('\n');
  }

  type(schema: JsonSchema, side: Side, name = '', indent = '  '): string {
    if (schema.title === 'EventEnvelope') return this.#use('HoldfastEvent');
    const bare = this.#withoutNull(schema, side, name, indent);
    return allowsNull(schema) && bare !== 'null' ? `${bare} | null` : bare;
  }

  #withoutNull(schema: JsonSchema, side: Side, name: string, indent: string): string {
    if (schema.not !== undefined) return 'undefined';
    if (schema.const !== undefined) return JSON.stringify(schema.const).replaceAll('"', "'");
    if (schema.enum !== undefined) return this.#words(schema.enum.filter((one) => one !== null));
    switch ([schema.type ?? []].flat().find((type) => type !== 'null')) {
      case 'object':
        return this.#object(schema, side, indent);
      case 'array':
        return `readonly ${this.#item(schema.items ?? {}, side, indent)}[]`;
      case 'integer':
      case 'number':
        return 'number';
      case 'boolean':
        return 'boolean';
      case 'string':
        return this.#text(schema, side, name);
      default:
        return schema.type === 'null' ? 'null' : 'unknown';
    }
  }

  #item(schema: JsonSchema, side: Side, indent: string): string {
    const text = this.type(schema, side, '', indent);
    return /[ |]/.test(text) && !text.startsWith('{') ? `(${text})` : text;
  }

  #object(schema: JsonSchema, side: Side, indent: string): string {
    const { title, properties, additionalProperties: rest } = schema;
    if (properties !== undefined && title !== undefined && side === 'response') {
      this.#onRecord(schema);
      return this.#use(title);
    }
    if (properties !== undefined) {
      const inner = this.fields(schema, side, [], `${indent}  `);
      return inner === '' ? 'Record<string, never>' : `{\n${inner}\n${indent}}`;
    }
    const value = typeof rest === 'object' ? this.type(rest, side, '', indent) : 'unknown';
    return `Readonly<Record<string, ${value}>>`;
  }

  #words(values: readonly (string | null)[]): string {
    const found = wordTypes.get(values.join());
    return found === undefined
      ? values.map((value) => quoted(value ?? '')).join(' | ')
      : this.#use(found.name);
  }

  #text(schema: JsonSchema, side: Side, name: string): string {
    const { pattern = '', format, description = '' } = schema;
    if (side === 'input') {
      // A whole number in a query is sent as text, and is a number for the caller.
      if ((name === 'limit' || name === 'page') && pattern !== '') return 'number';
      const isAmount =
        description.startsWith('A positive decimal') || pattern.startsWith('^-?(?!0+');
      return isAmount ? this.#use('AmountInput') : 'string';
    }
    const id = idTypes.get(pattern);
    if (id !== undefined) return this.#use(id.name);
    if (format === 'date-time') return this.#use('Instant');
    const [scalar] = scalarTypes.find((one) => one[1] === pattern) ?? [];
    return scalar === undefined ? 'string' : this.#use(scalar);
  }

  #use(name: string): string {
    this.used.add(name);
    return name;
  }
}

/** The meaning of the name, then the form that the contract describes. */
function fieldDoc(name: string, { not, description }: JsonSchema): string | undefined {
  if (not !== undefined) return undefined;
  const meaning = Object.hasOwn(FIELD_DOCS, name) ? FIELD_DOCS[name] : undefined;
  return [meaning, description].filter((text) => text !== undefined).join(' ') || undefined;
}

function property(name: string): string {
  return /^\w+$/.test(name) ? name : quoted(name);
}
