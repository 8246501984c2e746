import { expect, it } from 'vitest';
import { isAway } from '#app/session/away.ts';

const NOW = Date.parse('2026-11-15T12:00:00Z');

it('is away when no tab was touched for as long as a session lasts', () => {
  expect(isAway('2026-11-15T11:30:00.000Z', NOW, 1800)).toBe(true);
  expect(isAway('2026-11-15T11:30:00.001Z', NOW, 1800)).toBe(false);
});

it('is not away when no valid time is stored', () => {
  for (const stored of [null, '', 'soon']) expect(isAway(stored, NOW, 1800)).toBe(false);
});
