//! `npm run image`: the container image as an OCI archive, and the list of software in it. One
//! commit has one digest; `--twice` builds it again in another checkout and compares.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { arch } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createTemporaryFolder } from '../apps/cli/src/temporary-folder.ts';
import { prepareApp } from './image/app.ts';
import { buildImages, type Labels, storageIn, writeArchive } from './image/build.ts';
import { prepareRoot, type RootOptions } from './image/root.ts';
import { sbomOf } from './image/sbom.ts';
import { shell } from './image/shell.ts';
import { checkOut, createFolderInCache } from './pack/check-out.ts';
import { ROOT, readManifest } from './pack/manifest.ts';
import { rebuildSites } from './pack/sites.ts';
import { pack } from './pack.ts';

const MEGABYTES_MAX = 300;

export interface Context {
  readonly labels: Labels;
  readonly sbom: string;
  readonly bytes: number;
}

/** Everything that the Containerfile copies, in `folder`. */
export async function prepareContext(folder: string, options: RootOptions): Promise<Context> {
  using tarballs = createTemporaryFolder('holdfast-tarballs');
  const [tarball = ''] = await pack(tarballs.path);
  const debian = prepareRoot(join(folder, 'root'), options);
  const npm = prepareApp(join(folder, 'app'), join(folder, 'sandbox'), tarball);
  for (const file of ['Containerfile', 'Containerfile.sandbox'])
    copyFileSync(join(ROOT, 'deploy/image', file), join(folder, file));
  const labels = labelsOfCommit();
  const sbom = sbomOf({
    version: labels.VERSION,
    revision: labels.REVISION,
    createdAt: new Date(labels.CREATED),
    node: process.versions.node,
    architecture: arch() === 'x64' ? 'amd64' : arch(),
    npm,
    debian,
  });
  return { labels, sbom, bytes: sizeOf(folder) };
}

function labelsOfCommit(): Labels {
  const git = (...args: string[]) => shell('git', args, { cwd: ROOT });
  const isDirty = git('status', '--porcelain') !== '';
  const migrations = readdirSync(join(ROOT, 'apps/server/src/platform/database/migrations'));
  const newest =
    migrations
      .filter((name) => name.endsWith('.sql'))
      .toSorted()
      .at(-1) ?? '';
  return {
    SOURCE: (readManifest('.')['homepage'] as string | undefined) ?? '',
    REVISION: `${git('rev-parse', 'HEAD')}${isDirty ? '-dirty' : ''}`,
    VERSION: readManifest('.').version,
    CREATED: new Date(Number(git('log', '-1', '--format=%ct')) * 1000).toISOString(),
    MIGRATION: newest.replace(/\.sql$/, ''),
  };
}

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce(
    (sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size,
    0,
  );
}

interface Built extends Context {
  readonly digest: string;
  readonly sandboxDigest: string;
}

async function build(to: string, options: RootOptions): Promise<Built> {
  using work = createTemporaryFolder('holdfast-image');
  const context = join(work.path, 'context');
  const prepared = await prepareContext(context, options);
  const storage = storageIn(work.path);
  buildImages({ context, name: 'holdfast', labels: prepared.labels, storage });
  const archive = (name: string) =>
    writeArchive(`${name}:${prepared.labels.VERSION}`, archiveIn(to, name), storage);
  return {
    ...prepared,
    digest: archive('holdfast'),
    sandboxDigest: archive('holdfast-sandbox'),
  };
}

function archiveIn(folder: string, name: string): string {
  return resolve(folder, `${name}-${readManifest('.').version}.oci.tar`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      to: { type: 'string', default: 'dist' },
      context: { type: 'string' },
      mirror: { type: 'string' },
      twice: { type: 'boolean', default: false },
      update: { type: 'boolean', default: false },
    },
  });
  const startedAt = performance.now();
  const options = { isUpdate: values.update, mirror: values.mirror };
  rebuildSites();
  if (values.context !== undefined) {
    await prepareContext(resolve(values.context), options);
    return;
  }
  mkdirSync(values.to, { recursive: true });
  const built = await build(values.to, options);
  const archive = archiveIn(values.to, 'holdfast');
  const sbomFile = archive.replace(/\.oci\.tar$/, '.cdx.json');
  writeFileSync(sbomFile, built.sbom);
  const megabytes = built.bytes / 1e6;
  const lines = [
    `image     ${archive}`,
    `digest    ${built.digest}`,
    `sandbox   ${built.sandboxDigest}`,
    `revision  ${built.labels.REVISION}`,
    `size      ${megabytes.toFixed(0)} MB, ${(lstatSync(archive).size / 1e6).toFixed(0)} MB as an archive`,
    `sbom      ${sbomFile} (sha256 ${hashOf(built.sbom)})`,
    `seconds   ${((performance.now() - startedAt) / 1000).toFixed(0)}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (megabytes > MEGABYTES_MAX) fail(`the image has more than ${MEGABYTES_MAX} MB`);
  if (values.twice) compare(built, values.to, values.mirror);
}

/** From the start, in another checkout of the commit. */
function compare(first: Built, to: string, mirror: string | undefined): void {
  if (first.labels.REVISION.endsWith('-dirty')) {
    fail('--twice compares builds of a commit: commit your changes first');
    return;
  }
  using folder = createFolderInCache('image-again');
  const [checkout, again] = [join(folder.path, 'checkout'), join(folder.path, 'built')];
  checkOut(first.labels.REVISION, checkout);
  const program = ['--conditions=@holdfast/source', 'tools/image.ts', '--to', again];
  const given = mirror === undefined ? [] : ['--mirror', mirror];
  execFileSync(process.execPath, [...program, ...given], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const name of readdirSync(again)) {
    const isSame = contentOf(join(again, name)) === contentOf(resolve(to, name));
    process.stdout.write(`again     ${name} is ${isSame ? 'the same' : 'different'}\n`);
    if (!isSame) fail(`two builds of one commit have a different ${name}`);
  }
}

/** Of an archive its index, which has the digest; the archive also has the time of its writing. */
function contentOf(path: string): string {
  const isArchive = path.endsWith('.tar');
  return isArchive ? shell('tar', ['-xOf', path, 'index.json']) : readFileSync(path, 'utf8');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

if (import.meta.main) await main();
