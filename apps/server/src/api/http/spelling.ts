//! Both spellings of a field: `buyer_id` is taken as `buyerId`; two that differ are refused. Also
//! lists in a query, which may come as one value.
import { refuseField } from '@holdfast/contract/validation';
import type { TSchema } from 'typebox';

/** Property names of one object schema that have a second spelling, and where objects nest. */
interface Spellings {
  readonly names: ReadonlyMap<string, string>;
  readonly nested: ReadonlyMap<string, Spellings>;
}

interface Shape {
  type?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
}

export function spellingsOf(schema: TSchema): Spellings {
  const { properties = {}, items } = schema as Shape;
  if (items !== undefined) return spellingsOf(items as TSchema);
  const names = new Map<string, string>();
  const nested = new Map<string, Spellings>();
  for (const [name, shape] of Object.entries(properties)) {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (snake !== name) names.set(snake, name);
    const inner = spellingsOf(shape as TSchema);
    if (inner.names.size > 0 || inner.nested.size > 0) nested.set(name, inner);
  }
  // The specification's milestones are called by their short name.
  if (Object.hasOwn(properties, 'ref')) names.set('milestone_ref', 'ref');
  return { names, nested };
}

/** Rewrites the value in place. */
export function useOneSpelling(value: unknown, spellings: Spellings): void {
  if (value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    for (const item of value) useOneSpelling(item, spellings);
    return;
  }
  const record = value as Record<string, unknown>;
  for (const key of Object.keys(record)) {
    const name = spellings.names.get(key);
    if (name === undefined) continue;
    if (
      Object.hasOwn(record, name) &&
      JSON.stringify(record[name]) !== JSON.stringify(record[key])
    ) {
      refuseField(name, 'conflict', `${name} and ${key} must not differ`);
    }
    record[name] = record[key];
    delete record[key];
  }
  for (const [name, inner] of spellings.nested) useOneSpelling(record[name], inner);
}

/** Names of a query's parameters that may be repeated. */
export function listsOf(query: TSchema): string[] {
  const { properties = {} } = query as Shape;
  return Object.keys(properties).filter((name) => properties[name]?.type === 'array');
}

/** A repeatable parameter that came once is a list of one. */
export function useLists(value: unknown, lists: readonly string[]): void {
  const record = value as Record<string, unknown>;
  for (const name of lists) if (typeof record[name] === 'string') record[name] = [record[name]];
}
