//! Each table of the database is written by the SQL of one file, whose head says so.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SERVER } from './areas.ts';

const FOLDER = join(import.meta.dirname, '../..', SERVER);
const WRITE =
  /\b(?:(?:insert into|delete from)\s+([a-z_]+)|update\s+([a-z_]+)(?:\s+[a-z]+)?\s+set\b)/g;

/** Written by several files, each a part of the row or of its life. */
const SHARED: Readonly<Record<string, string>> = {
  contract_fee: 'opened with the escrow, recorded with the solvency',
  inbox: 'an operator lets a notification be applied again',
  mirror_backoff: 'a new share of the treasury ends the waits for it',
  outbox: 'written with the change, taken by the sequencer',
  withdrawal: 'its next poll, also brought forward by a recheck',
};

function writersByTable(): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>();
  const paths = globSync('**/*.ts', { cwd: FOLDER }).filter(
    (path) => !path.endsWith('.test.ts') && !path.startsWith('testing/'),
  );
  for (const path of paths) {
    for (const [, filled, updated] of readFileSync(join(FOLDER, path), 'utf8').matchAll(WRITE)) {
      const table = filled ?? updated ?? '';
      writers.set(table, (writers.get(table) ?? new Set()).add(path));
    }
  }
  return writers;
}

const writers = writersByTable();

it('has one file that writes a table, or says why there are several', () => {
  const several = [...writers].filter(([, files]) => files.size > 1).map(([table]) => table);
  expect(several.sort()).toEqual(Object.keys(SHARED).sort());
  expect(writers.size).toBeGreaterThan(40);
});

it('finds every file that says it has the only SQL that writes something', () => {
  const writing = new Set([...writers.values()].flatMap((files) => [...files]));
  const claims = globSync('**/*.ts', { cwd: FOLDER }).filter((path) =>
    /^\/\/!.*only SQL(?:\s+\/\/!)? that (?:writes|records)/m.test(
      readFileSync(join(FOLDER, path), 'utf8'),
    ),
  );
  expect(claims.filter((path) => !writing.has(path))).toEqual([]);
  expect(claims.length).toBeGreaterThan(30);
});
