import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fileCursorStore } from '#node';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-cursor-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('returns nothing at first, then the last saved cursor, also to another store', async () => {
  const path = join(folder, 'cursor');
  const store = fileCursorStore(path);
  expect(await store.load()).toBeUndefined();
  await store.save('2026-11-15T05:00:00.000001Z');
  await store.save('2026-11-15T05:00:00.000002Z');
  expect(await fileCursorStore(path).load()).toBe('2026-11-15T05:00:00.000002Z');
  expect(readdirSync(folder)).toEqual(['cursor']);
});

it('uses the old cursor when a crash left half of a new one', async () => {
  const store = fileCursorStore(join(folder, 'cursor'));
  await store.save('2026-11-15T05:00:00.000001Z');
  writeFileSync(join(folder, 'cursor.new'), '2026-11');
  expect(await store.load()).toBe('2026-11-15T05:00:00.000001Z');
});

it('throws when the file cannot be read, and does not treat it as a first start', async () => {
  await expect(async () => fileCursorStore(folder).load()).rejects.toThrow('EISDIR');
});
