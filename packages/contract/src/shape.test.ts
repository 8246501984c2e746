//! Checks whether values fit a schema.
import { expect, it } from 'vitest';
import { closed, text } from '#fields';
import { hasShape } from '#shape';

it('distinguishes a value that fits from one that does not', () => {
  const schema = closed({ name: text(3) });
  expect(hasShape(schema, { name: 'abc' })).toBe(true);
  expect(hasShape(schema, { name: 'abcd' })).toBe(false);
  expect(hasShape(schema, { name: 'abc', more: 1 })).toBe(false);
});
