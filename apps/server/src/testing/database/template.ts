//! Before all tests: one migrated database, which every test file clones for itself.
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../platform/database/migrator.ts';
import { dropAll, PREFIX } from './test-database.ts';
import { findTestPostgres, isRunning } from './test-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    adminUrl: string;
    template: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await findTestPostgres();
  const { adminUrl } = postgres;
  // For the sets of processes that some tests start.
  process.env['DATABASE_URL'] = adminUrl;
  const template = `${PREFIX}template_${process.pid}`;
  const admin = new pg.Client(adminUrl);
  await admin.connect();
  await dropLeftovers(admin, adminUrl);
  await admin.query(`create database ${template}`);
  const url = new URL(adminUrl);
  url.pathname = `/${template}`;
  await migrate(url.href);
  project.provide('adminUrl', adminUrl);
  project.provide('template', template);
  return async () => {
    const ofThisRun = (await listDatabases(admin)).filter(
      (name) => runOf(name) === `${process.pid}`,
    );
    await dropAll(adminUrl, ofThisRun);
    await admin.end();
    await postgres.stop();
  };
}

/** Drops databases of test runs that were killed: their process is gone. */
async function dropLeftovers(admin: pg.Client, adminUrl: string): Promise<void> {
  const left = (await listDatabases(admin)).filter((name) => !isRunning(Number(runOf(name))));
  await dropAll(adminUrl, left);
}

async function listDatabases(admin: pg.Client): Promise<string[]> {
  const { rows } = await admin.query<{ datname: string }>(
    'select datname from pg_database where datname like $1',
    [`${PREFIX}%`],
  );
  return rows.map(({ datname }) => datname);
}

/** The process that a database was created for. */
function runOf(name: string): string {
  return name.split('_').at(-1) ?? '';
}
