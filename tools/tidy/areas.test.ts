//! The areas of the server are ranked: imports lead down, and every folder belongs to one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pagesWithAreas } from '../code-map.ts';
import { AREAS, moduleId } from './areas.ts';

const ROOT = join(import.meta.dirname, '../..');
const SERVER = join(ROOT, 'apps/server/src');
/** Used by tests only. */
const TESTING = 'testing';

/** Every module by its area's rank and its line in the area. */
const ranked = new Map(
  AREAS.flatMap((area) =>
    area.modules.map((module, line) => [moduleId(area, module), { area, line }] as const),
  ),
);

it.each(AREAS.flatMap((area) => area.modules.map((module) => [moduleId(area, module), module])))(
  '%s uses only modules below it',
  (id, module) => {
    const own = ranked.get(id as string);
    const above = (module as (typeof AREAS)[number]['modules'][number]).uses.filter((used) => {
      if (used === '*') return false;
      const other = ranked.get(used);
      if (own === undefined || other === undefined) return true;
      return other.area === own.area ? other.line >= own.line : other.area.rank >= own.area.rank;
    });
    expect(above).toEqual([]);
  },
);

it('names every folder of the server, and no other', () => {
  const folders = readdirSync(SERVER, { withFileTypes: true });
  expect(folders.map(({ name }) => name).sort()).toEqual(
    [...AREAS.map(({ name }) => name), TESTING].sort(),
  );
  for (const { name, modules } of AREAS) {
    if (modules.some((module) => module.name === '')) continue;
    const found = readdirSync(join(SERVER, name));
    expect(found.sort()).toEqual(modules.map((module) => module.name).sort());
  }
});

it.each([...pagesWithAreas()])('the map in %s is as it would be drawn now', (name, text) => {
  const isFresh = readFileSync(join(ROOT, name), 'utf8') === text;
  expect(isFresh, 'run npm run generate').toBe(true);
});
