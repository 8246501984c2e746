//! Every component in the console's build has its styles there.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { BUILT } from './build.ts';

const CLASS = /\bm_[0-9a-f]{6,}\b/g;

export async function styles(): Promise<void> {
  const fromConsole = createRequire(join(BUILT, '../package.json'));
  const library = classesIn(readFileSync(fromConsole.resolve('@mantine/core/styles.css'), 'utf8'));
  const used = classesIn(built('.js'));
  const styled = classesIn(built('.css'));
  assert.ok(used.size > 0, 'no component has a class of its own');
  const missing = [...used].filter((name) => library.has(name) && !styled.has(name));
  assert.deepEqual(missing, [], 'see apps/console/src/app/mantine-styles.ts');
}

function built(ending: string): string {
  const folder = join(BUILT, 'assets');
  const names = readdirSync(folder).filter((name) => name.endsWith(ending));
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}

function classesIn(text: string): Set<string> {
  return new Set(text.match(CLASS));
}
