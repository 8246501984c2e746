//! Databases of test files: cloned from the template of their run, and dropped several at once.
import { systemClock } from '@holdfast/kernel/clock';
import { newId } from '@holdfast/kernel/ids';
import pg from 'pg';

export const PREFIX = 'holdfast_test_';

/** A drop makes the server write out everything; drops at the same time share that. */
const DROPPED_AT_ONCE = 8;
const done: string[] = [];

/**
 * Its name ends as the template's: with the process id of the run, which drops all of them at its
 * end.
 */
export async function cloneTemplate(adminUrl: string, template: string): Promise<URL> {
  const run = template.split('_').at(-1);
  const name = `${PREFIX}${newId('mkt', systemClock.now()).slice(4, 20)}_${run}`;
  await asAdmin(adminUrl, (admin) => admin.query(`create database ${name} template ${template}`));
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url;
}

/** Drops them once there are enough. */
export async function dropSoon(adminUrl: string, { pathname }: URL): Promise<void> {
  done.push(pathname.slice(1));
  if (done.length >= DROPPED_AT_ONCE) await dropAll(adminUrl, done.splice(0));
}

export async function dropAll(adminUrl: string, names: readonly string[]): Promise<void> {
  for (let at = 0; at < names.length; at += DROPPED_AT_ONCE) {
    const some = names.slice(at, at + DROPPED_AT_ONCE);
    await Promise.all(
      some.map((name) =>
        asAdmin(adminUrl, (admin) => admin.query(`drop database if exists ${name} with (force)`)),
      ),
    );
  }
}

async function asAdmin(
  adminUrl: string,
  work: (admin: pg.Client) => Promise<unknown>,
): Promise<void> {
  const admin = new pg.Client(adminUrl);
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
