//! Released migrations stay as they are, and newer ones are safe while the previous release serves.
import { describe, expect, it } from 'vitest';
import { findChanged, newestReleased, readMigrations, readReleased } from './released.ts';
import { checkMigrations, SQUAWK } from './rules.ts';

const files = readMigrations();
const check = (text: string, name = '0099_x.sql') => checkMigrations([{ name, text }]);

describe('the migrations', () => {
  it('are numbered without a gap', () => {
    expect(files.map(({ name }) => Number(name.slice(0, 4)))).toEqual(files.map((_, at) => at + 1));
  });

  it('that were released have not changed', () => {
    expect(findChanged(files, readReleased())).toEqual([]);
  });

  it('that follow them are safe while the previous release serves', () => {
    const newer = files.filter(({ name }) => name > newestReleased());
    expect(checkMigrations(newer)).toEqual([]);
  });
});

describe('a released migration', () => {
  it.each([
    [
      'has changed',
      files.map((file, at) => (at === 4 ? { ...file, text: `${file.text} ` } : file)),
    ],
    ['is gone', files.filter((_, at) => at !== 4)],
  ])('that %s is named, with what to do', (what, changed) => {
    expect(findChanged(changed, readReleased())).toEqual([
      expect.stringMatching(
        new RegExp(`^0005_books.sql ${what}, .*: restore it .* in a new migration`),
      ),
    ]);
  });
});

describe('a newer migration', () => {
  it.each([
    'alter table entry add column channel text;',
    "alter table entry add column channel text not null default 'web';",
    'alter table entry add constraint c check (amount > 0) not valid;',
    'create table shop (id bigint primary key); create index shop_idx on shop (id);',
    'create or replace function f() returns int language sql as $$ update x set y = 1 $$;\n' +
      'revoke execute on function f from public;',
    '-- Contract: no release since 0.2.0 reads it.\nalter table entry drop column note;',
  ])('may: %s', (text) => expect(check(text)).toEqual([]));

  it.each([
    'create index concurrently entry_x_idx on entry (note) where note is not null;',
    'alter table entry validate constraint c;\ndrop index concurrently entry_x_idx;',
  ])('may do online: %s', (text) => expect(check(text, '0099_x.online.sql')).toEqual([]));

  it.each([
    ['update entry set note = null;', 'no `update`'],
    ['lock table entry;', 'no `lock table`'],
    ['create index concurrently x on entry (note);', 'belongs into a file NNNN_name.online.sql'],
    ['alter table entry validate constraint c;', 'belongs into a file NNNN_name.online.sql'],
    ['alter table entry set tablespace fast;', 'no `set tablespace`'],
    ['create table if not exists shop (id bigint primary key);', 'no `if not exists`'],
    ['drop function books.post_one;', 'no `drop function`'],
    ['revoke select on entry from holdfast_api;', 'no `revoke`'],
    [
      'alter table entry add column a text; alter table account add column a text;',
      'locks entry and account in one transaction',
    ],
    [
      'create table shop (a bigint); create index i on shop (a); create index i on shop (a);',
      'index i is used twice',
    ],
  ])('must not: %s', (text, fault) => {
    expect(check(text).join('\n')).toContain(fault);
  });

  it('must not do online what belongs into a transaction', () => {
    expect(check('alter table entry add column a text;', '0099_x.online.sql').join()).toContain(
      'an online migration creates or drops',
    );
  });
});

describe.skipIf(SQUAWK === undefined)('squawk', () => {
  it.each([
    ['create index entry_x_idx on entry (note);', 'require-concurrent-index-creation'],
    ['alter table entry add constraint c check (amount > 0);', 'constraint-missing-not-valid'],
    ['alter table entry add constraint c unique (note);', 'disallowed-unique-constraint'],
    ['alter table entry add column s text references shop (id);', 'adding-foreign-key-constraint'],
    ['alter table entry alter column note type bigint;', 'changing-column-type'],
    ['alter table entry alter column note set not null;', 'adding-not-nullable-field'],
    ['alter table entry add column s text not null;', 'adding-required-field'],
    [
      'alter table entry add column t timestamptz default clock_timestamp();',
      'adding-field-with-default',
    ],
    ['alter table entry drop column note;', 'ban-drop-column'],
    ['alter table entry rename column note to remark;', 'renaming-column'],
    ['alter table entry rename to journal;', 'renaming-table'],
    ['drop table entry;', 'ban-drop-table'],
    ['begin; alter table entry add column a text; commit;', 'transaction-nesting'],
  ])('refuses: %s', (text, rule) => {
    expect(check(text).join('\n')).toContain(`0099_x.sql:1: ${rule}: `);
  });
});
