//! Checks that PostgreSQL responds and has the migrations of this build.
import { newestMigration } from '../newest-migration.ts';
import { type Check, faulty, fine, reasonOf, skipped } from './check.ts';

const NO_TABLE = '42P01';

export const checkDatabase: Check = {
  name: 'database',
  needsServer: false,
  async run({ database }) {
    if (database === undefined)
      return skipped('not checked: pass --database URL or set DATABASE_URL');
    let level: string | null | undefined;
    try {
      const rows = await database.query<{ level: string | null }>(
        'select max(name) as level from schema_migration',
      );
      level = rows[0]?.level;
    } catch (error) {
      if ((error as { code?: string }).code !== NO_TABLE)
        return faulty(
          'database-down',
          `cannot connect to PostgreSQL at ${database.name}: ${reasonOf(error)}`,
          'start PostgreSQL, or correct DATABASE_URL',
        );
    }
    const wanted = newestMigration();
    if (level === null || level === undefined)
      return faulty(
        'migration-pending',
        `${database.name} is empty: no migrations applied`,
        'run `holdfast migrate`',
      );
    if (wanted !== undefined && level < wanted)
      return faulty(
        'migration-pending',
        `${database.name} is at migration ${level}; this build requires ${wanted}`,
        'run `holdfast migrate`; this is safe while the previous version runs',
      );
    return fine(`${database.name} is at migration ${level}`);
  },
};
