//! `--database`: the URL of an operator's login, for commands that work without the API.
import { usageFault } from '../command-fault.ts';
import type { Run } from './run.ts';

export const DATABASE_OPTION = '--database [url]';

/** A check of everything must be able to read everything: of the owner, if there is one. */
export function databaseOf(run: Run, given: string | true): string {
  if (given !== true) return given;
  const { settings } = run.server();
  const url = settings['HOLDFAST_MIGRATION_DATABASE_URL'] ?? settings['DATABASE_URL'];
  if (url) return url;
  throw usageFault('no database URL', 'pass --database URL or set DATABASE_URL');
}
