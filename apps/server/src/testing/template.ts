//! Before all tests: one migrated database, which every test file clones for itself.
import { execFileSync } from 'node:child_process';
import { userInfo } from 'node:os';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../platform/migrator.ts';

declare module 'vitest' {
  interface ProvidedContext {
    adminUrl: string;
    template: string;
  }
}

const PREFIX = 'holdfast_test_';

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const adminUrl =
    process.env['DATABASE_URL'] ?? `postgres://${userInfo().username}@127.0.0.1:5432/postgres`;
  const template = `${PREFIX}template_${process.pid}`;
  const admin = new pg.Client(adminUrl);
  await admin.connect();
  await dropLeftovers(admin);
  await admin.query(`create database ${template}`);
  const url = new URL(adminUrl);
  url.pathname = `/${template}`;
  await migrate(url.href);
  project.provide('adminUrl', adminUrl);
  project.provide('template', template);
  return async () => {
    await admin.query(`drop database if exists ${template} with (force)`);
    await admin.end();
  };
}

/** Databases of test runs that were killed: their process is gone. */
async function dropLeftovers(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ datname: string }>(
    'select datname from pg_database where datname like $1',
    [`${PREFIX}%`],
  );
  for (const { datname } of rows) {
    if (isRunning(datname.split('_').at(-1) ?? '')) continue;
    await admin.query(`drop database if exists ${datname} with (force)`);
  }
}

function isRunning(pid: string): boolean {
  try {
    execFileSync('kill', ['-0', pid], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
