//! Builds a prepared context with buildah, and writes the image as an OCI archive.
import { lutimesSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { shell } from './shell.ts';

export interface Labels {
  readonly SOURCE: string;
  readonly REVISION: string;
  readonly VERSION: string;
  readonly CREATED: string;
  readonly MIGRATION: string;
}

export type Storage = Readonly<Record<string, string>>;

/** A container storage of its own, so that nothing of this machine's is read or left behind. */
export function storageIn(folder: string): Storage {
  const conf = join(folder, 'storage.conf');
  writeFileSync(
    conf,
    `[storage]\ndriver = "vfs"\nrunroot = "${folder}/run"\ngraphroot = "${folder}/graph"\n`,
  );
  // Read in place of the host's; nothing is pulled, so no signature is required.
  writeFileSync(join(folder, 'policy.json'), '{"default":[{"type":"insecureAcceptAnything"}]}');
  return { CONTAINERS_STORAGE_CONF: conf, BUILDAH_ISOLATION: 'chroot' };
}

export interface Build {
  /** With files, folders and a Containerfile. */
  readonly context: string;
  readonly name: string;
  readonly labels: Labels;
  /** Of the environment of buildah. */
  readonly storage: Storage;
}

/** Two images, which stay in the storage: `name`, and `name-sandbox` on it. */
export function buildImages({ context, name, labels, storage }: Build): void {
  clampTimes(context, secondsOf(labels));
  const tag = `localhost/${name}:${labels.VERSION}`;
  buildah(context, 'Containerfile', [`--tag=${tag}`, ...argsOf(labels)], storage);
  const sandbox = `localhost/${name}-sandbox:${labels.VERSION}`;
  const ofSandbox = [`--tag=${sandbox}`, '--pull-never', `--build-arg=BASE=${tag}`];
  const at = `--timestamp=${secondsOf(labels)}`;
  buildah(context, 'Containerfile.sandbox', [...ofSandbox, at], storage);
}

function buildah(context: string, file: string, args: readonly string[], storage: Storage): void {
  const policy = `--signature-policy=${policyOf(storage)}`;
  const common = ['bud', '--isolation=chroot', '--layers=false', policy];
  shell('buildah', [...common, `--file=${join(context, file)}`, ...args, context], {
    env: storage,
  });
}

function argsOf(labels: Labels): string[] {
  const given = Object.entries(labels).map(([key, value]) => `--build-arg=${key}=${value}`);
  return [...given, `--timestamp=${secondsOf(labels)}`];
}

function secondsOf({ CREATED }: Labels): number {
  return Date.parse(CREATED) / 1000;
}

function policyOf({ CONTAINERS_STORAGE_CONF: conf = '' }: Storage): string {
  return join(dirname(conf), 'policy.json');
}

/** `name` with its version; returns the digest of its manifest. */
export function writeArchive(name: string, to: string, storage: Storage): string {
  rmSync(to, { force: true });
  const digestFile = `${to}.digest`;
  const args = ['push', '--quiet', `--signature-policy=${policyOf(storage)}`];
  const target = `oci-archive:${to}:${name}`;
  shell('buildah', [...args, `--digestfile=${digestFile}`, `localhost/${name}`, target], {
    env: storage,
  });
  const digest = readFileSync(digestFile, 'utf8').trim();
  rmSync(digestFile);
  return digest;
}

/** Archives contain the time of each file. */
function clampTimes(folder: string, seconds: number): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) lutimesSync(path, seconds, seconds);
    else utimesSync(path, seconds, seconds);
  }
  utimesSync(folder, seconds, seconds);
}
