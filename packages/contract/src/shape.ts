//! Checks a value against a schema, without compiling anything.
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';

export function hasShape(schema: TSchema, value: unknown): boolean {
  return Value.Check(schema, value);
}
