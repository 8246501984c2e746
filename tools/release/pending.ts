//! What the changesets would release: the next version, and the changes in it.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, readManifest } from '../pack/manifest.ts';
import { type Change, readChange } from './changelog.ts';

/** From the largest change to the smallest. */
const SIZES = ['major', 'minor', 'patch'] as const;

export interface Pending {
  readonly version: string;
  readonly changes: readonly Change[];
}

/** Undefined where no changeset waits. */
export function readPending(root: string = ROOT): Pending | undefined {
  const files = globSync('.changeset/*.md', { cwd: root }).filter((file) => !/README/.test(file));
  if (files.length === 0) return undefined;
  const read = files
    .sort()
    .map((file) => readChangeset(file, readFileSync(join(root, file), 'utf8')));
  const size = SIZES.find((each) => read.some(({ sizes }) => sizes.includes(each)));
  return {
    version: nextVersion(readManifest('.').version, size ?? 'patch'),
    changes: read.map(({ change }) => change),
  };
}

function readChangeset(file: string, text: string) {
  const [, packages = '', summary = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
  const sizes = packages.split('\n').map((line) => /^["']?[@\w/-]+["']?: *(\w+)$/.exec(line)?.[1]);
  const unknown = sizes.find((size) => !SIZES.some((each) => each === size));
  if (packages === '' || unknown !== undefined)
    throw new Error(`${file} must state a package and major, minor or patch`);
  return { sizes, change: readChange(summary) };
}

/** All packages have one version. */
export function nextVersion(version: string, size: (typeof SIZES)[number]): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (size === 'major') return `${major + 1}.0.0`;
  return size === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
