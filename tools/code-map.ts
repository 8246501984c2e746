//! Draws the map of the server's areas in README.md and ARCHITECTURE.md, from tools/tidy/areas.ts:
//! part of `npm run generate`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AREAS, type Area, SERVER } from './tidy/areas.ts';

const ROOT = join(import.meta.dirname, '..');

const START = '<!-- areas: written by `npm run generate` from tools/tidy/areas.ts -->';
const END = '<!-- end of areas -->';

/** README: an area in a line, top down, as a reader follows a call. */
function areasInShort(): string {
  const rows = topDown().map((area) => `| \`${SERVER}/${area.name}/\` | ${namesOf(area)} |`);
  return ['| Area | Modules |', '|---|---|', ...rows].join('\n');
}

/** ARCHITECTURE: every module with what it holds. */
function areasInFull(): string {
  const rows = topDown().flatMap((area) =>
    area.modules.map(
      ({ name, holds }) => `| ${area.rank} | \`${area.name}${name && `/${name}`}\` | ${holds} |`,
    ),
  );
  return ['| Rank | Module | Content |', '|---|---|---|', ...rows].join('\n');
}

function topDown(): readonly Area[] {
  return AREAS.toReversed();
}

function namesOf({ modules }: Area): string {
  return modules.map(({ name, holds }) => (name === '' ? holds : name)).join(', ');
}

/** A page with its map as it is now. */
function withAreas(page: string, map: string): string {
  const [before, rest] = page.split(START);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`no ${START} in the page`);
  return `${before}${START}\n\n${map}\n\n${END}${after}`;
}

/** Pages that are written by hand but for their map, as they should be now. */
export function pagesWithAreas(): Map<string, string> {
  const maps = { 'README.md': areasInShort(), 'ARCHITECTURE.md': areasInFull() };
  return new Map(
    Object.entries(maps).map(([name, map]) => [
      name,
      withAreas(readFileSync(join(ROOT, name), 'utf8'), map),
    ]),
  );
}

if (import.meta.main) {
  for (const [name, text] of pagesWithAreas()) writeFileSync(join(ROOT, name), text);
}
