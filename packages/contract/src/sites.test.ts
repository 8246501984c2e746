//! Checks that the sites served without a key contain public files only.
import { expect, it } from 'vitest';
import { type Endpoint, errorsOf } from '#endpoint';
import { errorPageOf, sites } from '#sites';
import { surfaceA } from '#surface-a';
import { surfaceB } from '#surface-b';

const rows = Object.entries<Endpoint>(sites);

it('has files that anyone may read, and nothing that changes anything', () => {
  for (const [name, row] of rows) {
    expect([name, row.scope, row.method, row.rawResponse]).toEqual([
      row.id,
      'public',
      'GET',
      'file',
    ]);
    expect(row.emits).toEqual([]);
    expect(errorsOf(row)).not.toContain('UNAUTHORIZED');
  }
});

it('takes no path and no name of a surface', () => {
  const others = Object.values<Endpoint>({ ...surfaceA, ...surfaceB });
  for (const [, { id, path }] of rows) {
    expect(others.map((one) => one.id)).not.toContain(id);
    expect(others.filter((one) => `${one.path}/`.startsWith(`${path}/`))).toEqual([]);
  }
});

it('has a page of the documentation for each error', () => {
  expect(errorPageOf('INVALID_STATE')).toBe('/docs/reference/errors/invalid_state/');
});
