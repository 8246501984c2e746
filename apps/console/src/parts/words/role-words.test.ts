//! The roles of an action, in words.
import { expect, it } from 'vitest';
import { requiredRoles } from '#parts/words/role-words.ts';

it('names one role, two or three', () => {
  expect(requiredRoles(['admin'])).toBe('Requires the admin role');
  expect(requiredRoles(['finance', 'admin'])).toBe('Requires the finance or admin role');
  expect(requiredRoles(['support', 'finance', 'admin'])).toBe(
    'Requires the support, finance or admin role',
  );
});
