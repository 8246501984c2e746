//! How the command line is started: bundled where a run has bundled it, else from the sources.
import { join } from 'node:path';

const SOURCE = join(import.meta.dirname, '../../apps/cli/src/bin.ts');
const { BUNDLED_PROGRAMS: bundled } = process.env;

/** What Node is given before the arguments of `holdfast`. */
export const HOLDFAST: readonly string[] =
  bundled === undefined
    ? ['--conditions=@holdfast/source', SOURCE]
    : ['--enable-source-maps', join(bundled, 'holdfast.js')];
