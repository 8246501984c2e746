import { expect, it } from 'vitest';
import { changedFields } from '#screens/audit/changed-fields.ts';

it('shows the old value beside the new one', () => {
  expect(changedFields({ status: 'ACTIVE' }, { status: 'SUSPENDED', by: { role: 'x' } })).toEqual([
    { name: 'status', before: 'ACTIVE', after: 'SUSPENDED' },
    { name: 'by', before: undefined, after: '{"role":"x"}' },
  ]);
});

it('has nothing to show when nothing changed', () => {
  expect(changedFields(null, null)).toEqual([]);
});
