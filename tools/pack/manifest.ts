//! The package.json of each published package, made from those of the workspaces.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT: string = join(import.meta.dirname, '../..');

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;
}

const FOLDERS = ['apps/cli', 'apps/server', 'apps/sandbox', 'packages/contract', 'packages/kernel'];

/** The version at which the workspaces have each of these packages: one, and exact. */
export function pinned(names: Iterable<string>): Record<string, string> {
  const declared = FOLDERS.map((folder) => readManifest(folder)['dependencies']);
  const all = Object.assign({}, ...declared) as Record<string, string>;
  return Object.fromEntries(
    [...new Set(names)].toSorted().map((name) => {
      const version = all[name];
      if (version === undefined) throw new Error(`${name} is imported but not declared`);
      return [name, version];
    }),
  );
}

/** Without what only the repository understands: the condition that leads to sources. */
export function withoutSources(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([name]) => name !== '@holdfast/source');
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutSources(inner)]));
}
