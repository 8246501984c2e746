import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../testing/refusal.ts';
import { spellingsOf, useOneSpelling } from './spelling.ts';

const schema = Type.Object({
  buyerId: Type.String(),
  title: Type.String(),
  milestones: Type.Array(Type.Object({ ref: Type.String(), dueAt: Type.String() })),
});
const normal = (value: unknown) => {
  useOneSpelling(value, spellingsOf(schema));
  return value;
};

describe('the two spellings of a field', () => {
  it('mean the same field, also inside lists', () => {
    expect(
      normal({ buyer_id: 'b', title: 't', milestones: [{ milestone_ref: 'm', due_at: 'd' }] }),
    ).toEqual({ buyerId: 'b', title: 't', milestones: [{ ref: 'm', dueAt: 'd' }] });
  });

  it('may both be given when they agree', () =>
    expect(normal({ buyerId: 'b', buyer_id: 'b' })).toEqual({ buyerId: 'b' }));

  it('are refused when they differ', () =>
    expect(() => normal({ buyerId: 'b', buyer_id: 'c' })).toThrow(
      expect.toSatisfy(isRefusal('VALIDATION_ERROR')),
    ));

  it('leave unknown names alone, so that they can be refused as sent', () =>
    expect(normal({ no_such: 1, buyerId: 'b' })).toEqual({ no_such: 1, buyerId: 'b' }));

  it.each([null, undefined, 'text', 7])('leave %j alone', (value) =>
    expect(normal(value)).toBe(value),
  );
});
