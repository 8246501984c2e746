import { describe, expect, it } from 'vitest';
import { absoluteWords, relativeWords } from '#parts/words/time-words.ts';

const now = Date.parse('2026-11-15T12:00:00Z');

describe('times', () => {
  it('are written as the distance from now, before and after', () => {
    expect(relativeWords(now - 2_000, now)).toBe('just now');
    expect(relativeWords(now - 59_000, now)).toBe('59 s ago');
    expect(relativeWords(now - 61_000, now)).toBe('1 min ago');
    expect(relativeWords(now - 23.9 * 3_600_000, now)).toBe('23 h ago');
    expect(relativeWords(now + 49 * 3_600_000, now)).toBe('in 2 d');
  });

  it('are the same for two people in two zones', () => {
    expect(absoluteWords(now)).toBe('2026-11-15 12:00:00 UTC');
  });
});
