//! Lists, from the contract, what is declared and produced by no code. Each such name is produced,
//! or marked as reserved with its reason.
import { AUDIT_ACTIONS } from '@holdfast/contract/audit-actions';
import type { Endpoint } from '@holdfast/contract/endpoint';
import * as enums from '@holdfast/contract/enums';
import { type ErrorCode, errors } from '@holdfast/contract/errors';
import { EVENT_NAMES } from '@holdfast/contract/events';
import { type Machine, reachableStates, statesOf } from '@holdfast/contract/machine';
import { machines } from '@holdfast/contract/machines';
import { surfaceA } from '@holdfast/contract/surface-a';
import { surfaceB } from '@holdfast/contract/surface-b';
import { describe, expect, it } from 'vitest';
import { readSources } from './tidy/source.ts';

/** The code that runs: neither tests nor the schema, whose checks name every word. */
const code = readSources('.')
  .filter(
    ({ path }) =>
      /^apps\/server\/src\/.*\.(ts|sql)$/.test(path) &&
      !/\.test\.ts$|\/testing\/|\/migrations\/|\/generated\//.test(path),
  )
  .map(({ text }) => text)
  .join('\n');

const quoted = new Set(
  [...code.matchAll(/['"`]([A-Za-z][\w.-]*)['"`]/g)].map(([, name]) => name as string),
);
const isProduced = (name: string) => quoted.has(name);

/** Words that a caller may send in a body come back as they were sent. */
const accepted = new Set<string>();
for (const { body } of [...Object.values<Endpoint>(surfaceA), ...Object.values<Endpoint>(surfaceB)])
  collectEnums(body);

function collectEnums(schema: unknown): void {
  if (schema === null || typeof schema !== 'object') return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'enum' && Array.isArray(value))
      for (const word of value) accepted.add(String(word));
    else collectEnums(value);
  }
}

describe('what the contract declares is produced, or reserved', () => {
  it('errors', () => {
    const codes = Object.keys(errors) as ErrorCode[];
    const missing = codes.filter((name) => !isProduced(name));
    expect(missing.filter((name) => errors[name].reserved === undefined)).toEqual([]);
  });

  it('audit actions', () => {
    expect(AUDIT_ACTIONS.filter((name) => !isProduced(name))).toEqual([]);
  });

  it('events', () => {
    expect(EVENT_NAMES.filter((name) => !isProduced(name))).toEqual([]);
  });

  it.each(Object.values<Machine>(machines).map((machine) => [machine.name, machine] as const))(
    'moves and states: %s',
    (_, machine) => {
      const moves = Object.entries(machine.moves);
      expect(moves.map(([name]) => name).filter((name) => !isProduced(name))).toEqual([]);
      expect([...reachableStates(machine)].sort()).toEqual(statesOf(machine).sort());
    },
  );

  // Only callers send these.
  const { STATEMENT_FORMATS: _sent, ...produced } = enums;
  const lists = Object.entries(produced as Readonly<Record<string, readonly unknown[]>>).filter(
    (list): list is [string, readonly string[]] =>
      list[1].every((word) => typeof word === 'string'),
  );
  it.each(lists)('words: %s', (_, words) => {
    const reserved = enums.RESERVED_WORDS.filter(({ of }) => of === words).map(({ word }) => word);
    const isKnown = (word: string) =>
      isProduced(word) || accepted.has(word) || reserved.includes(word);
    expect(words.filter((word) => !isKnown(word))).toEqual([]);
  });
});
