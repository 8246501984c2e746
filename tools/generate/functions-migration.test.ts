//! A function that changes after a release reaches databases by a migration of its own.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../migrations/released.ts';
import { functionsMigrations, writeFunctionsMigrations } from './functions-migration.ts';

const RELEASED = '0003_functions.sql';
const NONE_RELEASED = '0000';
const created = (body: string) => `create or replace function one() as $$ ${body} $$;\n`;
let root: string;

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const writeFunction = (name: string, text: string) =>
  write(`apps/server/src/platform/database/functions/public/${name}.sql`, text);
const namesAfterRelease = () => [...functionsMigrations(root, RELEASED).keys()];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'holdfast-functions-'));
  writeFunction('id_floor', `-- Needed by tables.\n${created('floor')}`);
  writeFunction('one', `-- One.\n${created('first')}`);
  write(`${MIGRATIONS}/0001_tenancy.sql`, '-- Roles.\n');
  write(`${MIGRATIONS}/${RELEASED}`, '');
  writeFunctionsMigrations(root, NONE_RELEASED);
});
afterEach(() => rmSync(root, { recursive: true }));

describe('the migrations of functions', () => {
  it('hold each function once before a release, with the functions of tables first', () => {
    const written = functionsMigrations(root, NONE_RELEASED);
    expect([...written.keys()]).toEqual(['0002_table_functions.sql', RELEASED]);
    expect(written.get('0002_table_functions.sql')).toContain('$$ floor $$');
    expect(written.get(RELEASED)).toContain('$$ first $$');
    expect(written.get(RELEASED)).not.toContain('$$ floor $$');
  });

  it('are none after a release that nothing follows, nor for a comment', () => {
    expect(namesAfterRelease()).toEqual([]);
    writeFunction('one', `-- Said better.\n${created('first')}`);
    expect(namesAfterRelease()).toEqual([]);
  });

  it('are a new one, with the changed function only, after a release', () => {
    writeFunction('one', created('second'));
    write(`${MIGRATIONS}/0004_column.sql`, '-- A column.\n');
    const written = functionsMigrations(root, RELEASED);
    expect([...written.keys()]).toEqual(['0005_functions.sql']);
    expect(written.get('0005_functions.sql')).toContain('$$ second $$');
    expect(written.get('0005_functions.sql')).not.toContain('$$ floor $$');
  });

  it('bring back an older definition too', () => {
    writeFunction('one', created('second'));
    for (const [name, text] of functionsMigrations(root, RELEASED))
      write(`${MIGRATIONS}/${name}`, text);
    writeFunction('one', created('first'));
    const written = functionsMigrations(root, '0004_functions.sql');
    expect([...written.keys()]).toEqual(['0005_functions.sql']);
  });
});
