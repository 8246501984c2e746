import { expect, it } from 'vitest';
import { keyState } from '#screens/developers/key-state.ts';

const now = Date.parse('2026-03-01T12:00:00Z');

it('decides by its dates whether a key works', () => {
  const at = '2026-03-01T12:00:00.000Z';
  expect(keyState({ revokedAt: null, expiresAt: null }, now)).toBe('ACTIVE');
  expect(keyState({ revokedAt: null, expiresAt: '2026-03-02T00:00:00Z' }, now)).toBe('ACTIVE');
  expect(keyState({ revokedAt: null, expiresAt: at }, now)).toBe('EXPIRED');
  expect(keyState({ revokedAt: at, expiresAt: null }, now)).toBe('REVOKED');
});
