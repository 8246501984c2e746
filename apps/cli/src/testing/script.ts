//! Scripts that only tests start.
import { existsSync } from 'node:fs';
import { join, parse } from 'node:path';

const { BUNDLED_PROGRAMS: bundled } = process.env;

/** Bundled where a run has done that, as the programs of the package are (see entries.ts). */
export function scriptOf(source: string): string {
  const script = join(bundled ?? '', `${parse(source).name}.js`);
  return bundled !== undefined && existsSync(script) ? script : source;
}
