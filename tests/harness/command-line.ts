//! How tests start the command line: from a bundle if the run has made one, else from the sources.
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, '../../apps/cli/src/bin.ts');
const { BUNDLED_PROGRAMS: bundled } = process.env;

/** The arguments of Node before those of `holdfast`. */
export const HOLDFAST: readonly string[] =
  bundled === undefined
    ? ['--conditions=@holdfast/source', SOURCE]
    : ['--enable-source-maps', join(bundled, 'holdfast.js')];
