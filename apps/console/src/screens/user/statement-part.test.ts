import type { StatementLine } from '@holdfast/sdk';
import { describe, expect, it } from 'vitest';
import { hasNewer, isLong, newestPart } from '#screens/user/statement-part.ts';

const sums = (total: string) => ({ available: total, reserved: '0.00', total });

function statementOf(count: number) {
  const lines = Array.from({ length: count }, (_, index): StatementLine => {
    const balance = sums(`${index + 1}.00`);
    return {
      entryId: `ent_${index + 1}`,
      at: '2026-11-02T10:00:00.000Z',
      kind: 'credit',
      subjectId: null,
      reference: null,
      note: null,
      change: sums('1.00'),
      balance,
    };
  });
  return { lines, opening: sums('0.00') };
}

describe('a statement on a page', () => {
  it('is whole while it is short', () => {
    const statement = statementOf(300);
    expect(isLong(statement)).toBe(false);
    expect(newestPart(statement)).toEqual({ lines: statement.lines, before: '0.00' });
  });

  it('has its newest lines, with the balance before them', () => {
    const statement = statementOf(100_000);
    const { lines, before } = newestPart(statement);
    expect(isLong(statement)).toBe(true);
    expect(lines).toHaveLength(300);
    expect(lines.at(-1)?.entryId).toBe('ent_100000');
    expect(before).toBe('99700.00');
    expect(lines[0]?.balance.total).toBe('99701.00');
  });
});

describe('newer lines', () => {
  const read = { to: '2026-11-02T10:00:00.001Z', closing: sums('5.00') };
  const [early, late] = ['2026-11-02T09:59:00.000Z', '2026-11-02T10:01:00.000Z'];

  it.each([
    ['none when nothing has changed', sums('5.00'), early, true, false],
    ['some when the balance has changed', sums('6.00'), late, true, true],
    ['some when changes cancelled each other out', sums('5.00'), late, true, true],
    ['some when a slow clock dated a change too early', sums('6.00'), early, true, true],
    ['none after the day on which the period ends', sums('6.00'), late, false, false],
    ['some while the period lasts', sums('6.00'), early, false, true],
  ])('are %s', (_what, balance, updatedAt, isUntilNow, expected) => {
    expect(hasNewer(read, { ...balance, updatedAt }, isUntilNow)).toBe(expected);
  });
});
