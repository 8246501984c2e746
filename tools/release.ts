//! `npm run release -- --to DIR`: all that a release consists of, in one folder, and nothing
//! published. `--dry-run` does it from any commit, and has npm check what it would publish.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createTemporaryFolder } from '../apps/cli/src/temporary-folder.ts';
import { shell } from './image/shell.ts';
import { ROOT, readManifest } from './pack/manifest.ts';
import { sectionOf } from './release/changelog.ts';
import { type Images, withImages } from './release/deployment.ts';
import { notesOf } from './release/notes.ts';
import { readPending } from './release/pending.ts';

interface Options {
  readonly to: string;
  readonly isDryRun: boolean;
  /** The name that the image will have, without its digest. */
  readonly image: string;
}

function createRelease({ to, isDryRun, image }: Options): void {
  const { version } = readManifest('.');
  const faults = faultsOf(version);
  if (faults.length > 0 && !isDryRun) throw new Error(faults.join('\n'));
  mkdirSync(to, { recursive: true });
  run('npm', 'run', '-s', 'tarballs', '--', '--to', to);
  const images = createImages(to, version, image);
  packDeployment(to, version, images);
  writeFileSync(join(to, 'NOTES.md'), createNotes(to, version, images.holdfast));
  writeFileSync(join(to, 'SHA256SUMS'), sumsOf(to));
  if (isDryRun) for (const tarball of filesIn(to, /\.tgz$/, /deploy/)) checkPublished(to, tarball);
  report(to, images, faults);
}

/** What keeps this commit from being released. */
function faultsOf(version: string): string[] {
  const faults: string[] = [];
  if (run('git', 'status', '--porcelain') !== '') faults.push('the tree has uncommitted changes');
  if (run('git', 'tag', '--list', `v${version}`) !== '')
    faults.push(`${version} is released: give the packages the next one with release:version`);
  if (readPending() !== undefined) faults.push('changesets wait: run release:version first');
  if (sectionOf(readChangelog(), version) === undefined)
    faults.push(`the changelog has no section ${version}`);
  return faults;
}

const readChangelog = () => readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');

function createImages(to: string, version: string, name: string): Images {
  const printed = run('npm', 'run', '-s', 'image', '--', '--to', to);
  const digestOf = (line: string, file: string) => {
    const [, digest] = new RegExp(`^${line} +(sha256:[0-9a-f]{64})$`, 'm').exec(printed) ?? [];
    if (digest === undefined) throw new Error(`npm run image printed no digest:\n${printed}`);
    writeFileSync(join(to, `${file}-${version}.digest`), digest);
    return digest;
  };
  return {
    holdfast: `${name}@${digestOf('digest', 'holdfast')}`,
    sandbox: `${name}-sandbox@${digestOf('sandbox', 'holdfast-sandbox')}`,
  };
}

/** compose.yaml and all of deploy/, with the image of this release. */
function packDeployment(to: string, version: string, images: Images): void {
  using work = createTemporaryFolder('holdfast-deploy');
  const name = `holdfast-deploy-${version}`;
  const folder = join(work.path, name);
  cpSync(join(ROOT, 'deploy'), join(folder, 'deploy'), { recursive: true });
  for (const file of [...globSync('compose*.yaml', { cwd: ROOT }), 'LICENSE'])
    copyFileSync(join(ROOT, file), join(folder, file));
  withImages(folder, images);
  const created = run('git', 'log', '-1', '--format=%ct');
  // The same bytes for the same commit: names in order, one time, no owner.
  const same = ['--sort=name', `--mtime=@${created}`, '--owner=0', '--group=0', '--numeric-owner'];
  const tarball = join(to, `${name}.tgz`);
  shell('tar', ['-C', work.path, ...same, '--use-compress-program=gzip -n', '-cf', tarball, name]);
}

function createNotes(to: string, version: string, image: string): string {
  const changes = sectionOf(readChangelog(), version) ?? sectionOf(readChangelog(), 'Unreleased');
  const [previous] = run('git', 'tag', '--list', 'v*', '--sort=-version:refname').split('\n');
  const migrations = 'apps/server/src/platform/database/migrations';
  const added = previous
    ? run('git', 'diff', '--name-only', '--diff-filter=A', previous, '--', migrations).split('\n')
    : readdirSync(join(ROOT, migrations));
  return notesOf({
    version,
    image,
    changes: changes ?? '',
    migrations: added.flatMap((path) => /\d{4}_\w+(\.online)?(?=\.sql$)/.exec(path)?.[0] ?? []),
    files: filesIn(to, /\.(tgz|json|tar)$/),
  });
}

function sumsOf(to: string): string {
  const sum = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(to, name)))
      .digest('hex');
  const names = filesIn(to, /./, /^SHA256SUMS$/);
  return names.map((name) => `${sum(name)}  ${name}\n`).join('');
}

/** What npm would publish, by its own rules; it sends nothing. */
function checkPublished(to: string, tarball: string): void {
  run('npm', 'publish', join(to, tarball), '--dry-run', '--access', 'public', '--tag', 'next');
}

function filesIn(folder: string, named: RegExp, exceptFor?: RegExp): string[] {
  const names = readdirSync(folder).toSorted();
  return names.filter((name) => named.test(name) && !exceptFor?.test(name));
}

function report(to: string, images: Images, faults: readonly string[]): void {
  const lines = filesIn(to, /./).map((name) => `  ${name}`);
  process.stdout.write(`${to}\n${lines.join('\n')}\n${images.holdfast}\n${images.sandbox}\n`);
  for (const fault of faults) process.stdout.write(`not releasable: ${fault}\n`);
}

function run(program: string, ...args: readonly string[]): string {
  return shell(program, args, { cwd: ROOT });
}

const { values } = parseArgs({
  options: {
    to: { type: 'string', default: 'dist/release' },
    image: { type: 'string', default: 'registry.example.com/holdfast' },
    'dry-run': { type: 'boolean', default: false },
  },
});
createRelease({ to: resolve(values.to), image: values.image, isDryRun: values['dry-run'] });
