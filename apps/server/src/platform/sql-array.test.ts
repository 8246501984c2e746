//! Values of any characters come back unchanged from an array literal.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useWorld } from '../testing/use-world.ts';
import { quotedArray, quotedField, rowArray } from './database/sql-array.ts';

const world = useWorld();

/** All that has a meaning in a literal; PostgreSQL stores no NUL. */
const value = fc.option(
  fc.oneof(
    fc.string({
      unit: fc.constantFrom('"', '\\', ',', '(', ')', '{', '}', ' ', 'NULL', 'ä', '\n'),
    }),
    fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '')),
  ),
);
const values = fc.array(fc.record({ reference: value, note: value }), { maxLength: 20 });

describe('values in an array literal', () => {
  it('are read back as they were', async () => {
    const property = fc.asyncProperty(values, async (given) => {
      const texts = quotedArray(given, ({ note }) => note);
      expect(await world.rows('select note from unnest($1::text[]) note', [texts])).toEqual(
        given.map(({ note }) => ({ note })),
      );
      const fields = ({ reference, note }: (typeof given)[number]) =>
        `,,,,,,,,,,${quotedField(reference)},${quotedField(note)},,,,,,`;
      const rows = await world.rows(
        'select reference, note from unnest($1::books.posting_request[])',
        [rowArray(given, fields)],
      );
      expect(rows).toEqual(given);
    });
    await fc.assert(property, { numRuns: 100 });
  });
});
