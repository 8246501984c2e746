//! The two builds of an upgrade: the previous release, and this tree with the migrations of the
//! rehearsal after its own.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS, newestReleased } from '../../../tools/migrations/released.ts';
import { checkOut } from '../../../tools/pack/check-out.ts';
import { ROOT } from '../../../tools/pack/manifest.ts';
import { bundlePrograms } from '../../../tools/pack/programs.ts';
import { installHere } from '../../e2e/quickstart/install-here.ts';
import { rehearsedMigrations } from './rehearsal.ts';

export interface Build {
  /** The folder with `api.js`, `worker.js` and `migrate.js`. */
  readonly programs: string;
}

/** The last tag; before there is one, the commit before the newest migration, or this one. */
export function findPrevious(): { readonly commit: string; readonly text: string } {
  const tag = git('tag', '--list', 'v*', '--sort=-v:refname', '--merged', 'HEAD').split('\n')[0];
  if (tag) return { commit: tag, text: tag };
  const newest = readdirSync(join(ROOT, MIGRATIONS)).sort().at(-1) ?? '';
  const added = git('log', '-1', '--format=%H', '--diff-filter=A', '--', `${MIGRATIONS}/${newest}`);
  const isNewer = newest > newestReleased() && added !== '';
  const commit = git('rev-parse', '--short', isNewer ? `${added}^` : 'HEAD');
  return { commit, text: `${commit}${isNewer ? `, before ${newest}` : ''}` };
}

export interface Builds {
  readonly previous: Build;
  readonly next: Build;
}

/** As they are installed: from tarballs, each with the packages of its own lockfile. */
export function buildReleases(folder: string, commit: string): Builds {
  const source = join(folder, 'source');
  checkOut(commit, source);
  const previous = install(join(folder, 'previous'), source);
  return { previous, next: rehearsed(install(join(folder, 'next'), ROOT)) };
}

/** This tree as both, without tarballs: what it leaves to see are the rehearsed migrations. */
export async function buildThisTree(folder: string): Promise<Builds> {
  const { BUNDLED_PROGRAMS: bundled } = process.env;
  const previous = { programs: bundled ?? join(folder, 'previous') };
  if (bundled === undefined) await bundlePrograms(previous.programs, 'all');
  const next = { programs: join(folder, 'next') };
  cpSync(previous.programs, next.programs, { recursive: true });
  return { previous, next: rehearsed(next) };
}

function rehearsed(build: Build): Build {
  const migrations = join(build.programs, 'migrations');
  for (const [name, text] of rehearsedMigrations(readdirSync(migrations)))
    writeFileSync(join(migrations, name), text);
  return build;
}

function install(folder: string, root: string): Build {
  const tarballs = join(folder, 'tarballs');
  // In a process of its own, since each tree is packed by its own tools.
  const script = 'const { pack } = await import(process.argv[1]); await pack(process.argv[2]);';
  const pack = ['--conditions=@holdfast/source', '--input-type=module', '-e', script];
  execFileSync(process.execPath, [...pack, join(root, 'tools/pack.ts'), tarballs], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const tarball = readdirSync(tarballs).find((name) => /^holdfast-\d/.test(name));
  if (tarball === undefined) throw new Error(`no tarball of holdfast in ${tarballs}`);
  installHere(folder, [join(tarballs, tarball)], root);
  return { programs: join(folder, 'node_modules/holdfast/dist') };
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}
