//! The people of the shop, and the copy of their balances.
import { all, type Database, first, run } from './database.ts';

export type Role = 'buyer' | 'seller' | 'support';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly about: string;
  readonly email: string;
  /** Theirs at Holdfast; support has none, because no money is theirs. */
  readonly userId: string | null;
  /** From the last balance event. */
  readonly available: string;
}

const COLUMNS = 'id, name, role, about, email, user_id as userId, available';

export function listPeople(database: Database): Person[] {
  return all<Person>(database, `select ${COLUMNS} from person order by rowid`);
}

export function findPerson(database: Database, id: string): Person | undefined {
  return first<Person>(database, `select ${COLUMNS} from person where id = ?`, id);
}

export function personOfUser(database: Database, userId: string): Person | undefined {
  return first<Person>(database, `select ${COLUMNS} from person where user_id = ?`, userId);
}

export function supportIds(database: Database): string[] {
  const sql = `select id from person where role = 'support'`;
  return all<{ id: string }>(database, sql).map(({ id }) => id);
}

export function savePerson(database: Database, person: Person): void {
  const { id, name, role, about, email, userId, available } = person;
  run(
    database,
    `insert into person (id, name, role, about, email, user_id, available)
     values (?, ?, ?, ?, ?, ?, ?)
     on conflict (id) do update set user_id = excluded.user_id, available = excluded.available`,
    ...[id, name, role, about, email, userId, available],
  );
}

export function setAvailable(database: Database, userId: string, available: string): void {
  run(database, 'update person set available = ? where user_id = ?', available, userId);
}
