import { expect, it } from 'vitest';
import { addressOf } from './surroundings.ts';

it.each([
  ['postgres://ada:secret@db.internal:5433/books', 'db.internal:5433/books'],
  ['postgres://ada:secret@one,two/books', 'one,two/books'],
  ['postgres://ada:secret@/books?host=/run/postgresql', '/run/postgresql/books'],
  ['postgres:///books?host=/run/postgresql', '/run/postgresql/books'],
])('names the database at %s without its login', (url, expected) => {
  expect(addressOf(url)).toBe(expected);
});
