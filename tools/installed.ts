//! Finds programs that some tests need and that are not services.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** tests/e2e/nginx starts its own. */
export function findNginx(): string | undefined {
  return findProgram('nginx');
}

/** A test connects through it, to be refused. */
export function findPgbouncer(): string | undefined {
  return findProgram('pgbouncer');
}

/** Checks the alerts; npm run test:alerts runs the server too. */
export function findPrometheus(): string | undefined {
  return findProgram('prometheus');
}

export function findPromtool(): string | undefined {
  return findProgram('promtool');
}

/** Chromium without the parts that draw windows: a page costs it a quarter of the time. */
export function findHeadlessShell(): string | undefined {
  return findProgram('chromium-headless-shell');
}

/** The browser in which tests open the example and the console. */
export function findChromium(): string | undefined {
  return findHeadlessShell() ?? findProgram('chromium', 'chromium-browser', 'google-chrome');
}

export function findProgram(...names: readonly string[]): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'];
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path));
}
