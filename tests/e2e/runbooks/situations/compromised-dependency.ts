//! A package of the release is named in an advisory.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sbomOf } from '../../../../tools/image/sbom.ts';
import type { Situation } from '../situation.ts';

const RELEASE = {
  version: '1.2.3',
  revision: 'a'.repeat(40),
  createdAt: new Date('2026-11-18T12:00:00Z'),
  node: '24.21.0',
  architecture: 'amd64',
  npm: {
    'node_modules/holdfast': { version: '1.2.3', dependencies: { c: '^1.0.0' } },
    'node_modules/holdfast/node_modules/c': { version: '1.1.0' },
    'node_modules/c': { version: '2.0.0' },
  },
  debian: [],
};

export const compromisedDependency: Situation = {
  start: async ({ set }) => {
    const path = join(set.folder, 'holdfast-1.2.3.cdx.json');
    writeFileSync(path, sbomOf(RELEASE));
    return { SBOM: path, PACKAGE: 'c' };
  },
};
