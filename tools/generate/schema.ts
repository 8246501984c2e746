//! Reads the contract's schemas: into OpenAPI, into examples, into short texts for a table.

/** The part of JSON Schema that the contract uses. */
export interface JsonSchema {
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: (string | null)[];
  const?: unknown;
  format?: string;
  pattern?: string;
  examples?: unknown[];
  minimum?: number;
  exclusiveMinimum?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  not?: JsonSchema;
  $ref?: string;
  /** OpenAPI's own: the property that selects one schema of a `oneOf`. */
  discriminator?: { propertyName: string; mapping: Record<string, string> };
}

/** The plain JSON of a schema, without TypeBox's hidden marks. */
export function plain(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema)) as JsonSchema;
}

/** Collects every titled record on the way and puts a reference in its place. */
export class Components {
  readonly schemas = new Map<string, JsonSchema>();

  of(schema: object): JsonSchema {
    return this.#extract(plain(schema));
  }

  #extract(schema: JsonSchema): JsonSchema {
    const { title } = schema;
    if (title === undefined || schema.properties === undefined) return this.#within(schema);
    const { title: _, ...body } = schema;
    if (!this.schemas.has(title)) {
      this.schemas.set(title, {});
      this.schemas.set(title, this.#within({ ...body, type: 'object' }));
    }
    const reference = { $ref: `#/components/schemas/${title}` };
    return allowsNull(schema) ? { anyOf: [reference, { type: 'null' }] } : reference;
  }

  #within(schema: JsonSchema): JsonSchema {
    const { properties, items, additionalProperties: rest } = schema;
    return {
      ...schema,
      ...(properties === undefined ? {} : { properties: this.#each(properties) }),
      ...(items === undefined ? {} : { items: this.#extract(items) }),
      ...(typeof rest === 'object' ? { additionalProperties: this.#extract(rest) } : {}),
    };
  }

  #each(properties: Record<string, JsonSchema>): Record<string, JsonSchema> {
    const extracted = Object.entries(properties).map(([name, schema]) => [
      name,
      this.#extract(schema),
    ]);
    return Object.fromEntries(extracted) as Record<string, JsonSchema>;
  }
}

export function allowsNull(schema: JsonSchema): boolean {
  return schema.type?.includes('null') === true || schema.enum?.includes(null) === true;
}

function mainType(schema: JsonSchema): string | undefined {
  const types = [schema.type ?? []].flat();
  return types.find((type) => type !== 'null') ?? types[0];
}

/** A value that the schema takes. What may be null is null, unless everything is to be shown. */
export function exampleOf(schema: JsonSchema, nulls: 'null' | 'filled' = 'null'): unknown {
  if (nulls === 'null' && allowsNull(schema)) return null;
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  switch (mainType(schema)) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, part]) => [
          name,
          exampleOf(part, nulls),
        ]),
      );
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(schema.items, nulls)];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return 'text';
  }
}

/** The kind of a field in one or two words, for a table. */
function kindOf(schema: JsonSchema): string {
  const kind = kindWithoutNull(schema);
  return allowsNull(schema) ? `${kind} or null` : kind;
}

function kindWithoutNull(schema: JsonSchema): string {
  if (schema.enum !== undefined)
    return schema.enum.flatMap((word) => (word === null ? [] : `\`${word}\``)).join(', ');
  const [, prefix] = /^\^(\w+)_\[/.exec(schema.pattern ?? '') ?? [];
  if (prefix !== undefined) return `\`${prefix}_\` id`;
  if (schema.format === 'date-time' || schema.pattern?.startsWith('^\\d{4}-\\d{2}')) return 'time';
  if (schema.pattern?.startsWith('^\\d+\\.') || schema.pattern?.startsWith('^-?\\d+\\.')) {
    return 'amount';
  }
  if (mainType(schema) === 'array') return `list of ${kindOf(schema.items ?? {})}`;
  return mainType(schema) ?? 'anything';
}

export interface Row {
  readonly name: string;
  readonly kind: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/** Every field with those inside of it: `destination.type`, `milestones[].amount`. */
export function rowsOf(schema: object, within = '', seen: readonly string[] = []): Row[] {
  const { properties = {}, required = [] } = plain(schema);
  return Object.entries(properties).flatMap(([name, part]) => {
    const inner = part.items ?? part;
    const path = `${within}${name}`;
    // The kind says it; the first page of the reference says what an amount is.
    const isAmount = part.description?.startsWith('A positive decimal string') === true;
    const row: Row = {
      name: path,
      kind: isAmount ? 'amount' : kindOf(part),
      isRequired: required.includes(name),
      description: isAmount ? '' : (part.description ?? ''),
    };
    const title = inner.title ?? '';
    if (inner.properties === undefined || seen.includes(title)) return [row];
    const below = `${path}${part.items === undefined ? '' : '[]'}.`;
    return [row, ...rowsOf(inner, below, title === '' ? seen : [...seen, title])];
  });
}
