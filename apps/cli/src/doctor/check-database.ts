//! Does PostgreSQL answer, and is it at the level of this build?
import { newestMigration } from '../newest-migration.ts';
import { type Check, faulty, fine, reasonOf, skipped } from './check.ts';

const NO_TABLE = '42P01';

export const checkDatabase: Check = {
  name: 'database',
  needsServer: false,
  async look({ database }) {
    if (database === undefined) return skipped('give --database URL or DATABASE_URL to look');
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
          `PostgreSQL at ${database.name} does not let us in: ${reasonOf(error)}`,
          'start it, or correct DATABASE_URL',
        );
    }
    const wanted = newestMigration();
    if (level === null || level === undefined)
      return faulty(
        'migration-pending',
        `${database.name} is empty: no migration was applied`,
        'run `holdfast migrate`',
      );
    if (wanted !== undefined && level < wanted)
      return faulty(
        'migration-pending',
        `${database.name} is at ${level}, this build needs ${wanted}`,
        'run `holdfast migrate`: safe while the previous version runs',
      );
    return fine(`${database.name} is at ${level}`);
  },
};
