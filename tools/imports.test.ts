//! The import rules hold, and every one of them finds what is planted for it.
import { describe, expect, it } from 'vitest';
import { blindRules, cruisePlanted, cruiseRepository, MODULES_MIN } from './imports.ts';

describe('import rules', () => {
  it('hold in the repository', async () => {
    const { modules, violations } = await cruiseRepository();
    expect(violations).toEqual([]);
    expect(modules).toBeGreaterThanOrEqual(MODULES_MIN);
  });

  it('each find the violation planted for them', async () => {
    expect(blindRules(await cruisePlanted())).toEqual([]);
  });

  it('count as blind when they find nothing', () => {
    expect(blindRules({ modules: 0, violations: [], rules: ['no cycle'] })).toEqual(['no cycle']);
  });
});
