import { expect, it } from 'vitest';
import { durationWords, lagTone, nameWords, spaced } from '#screens/system/lag.ts';

it('writes a duration with its two largest units', () => {
  expect([5, 65, 3_660, 90_000].map(durationWords)).toEqual([
    '5 s',
    '1 min 5 s',
    '1 h 1 min',
    '1 d 1 h',
  ]);
});

it('colours only what waits too long', () => {
  expect([null, 59, 60, 600].map(lagTone)).toEqual([
    undefined,
    undefined,
    'var(--hf-warn)',
    'var(--hf-bad)',
  ]);
});

it('writes names as words', () => {
  const names = ['escrowProvider', 'fund-escrow', 'database'];
  expect(names.map(spaced)).toEqual(['Escrow provider', 'Fund escrow', 'Database']);
});

it('names dependencies and queues as people do', () => {
  const names = ['engine', 'mirror', 'topups', 'escrowProvider'];
  const words = ['Workflow engine', 'Address transfers', 'Top-ups', 'Escrow provider'];
  expect(names.map(nameWords)).toEqual(words);
});
