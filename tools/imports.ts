//! `npm run imports`: checks all imports against the table in tidy/arrows.ts.
//!
//! A cruiser that reads no file reports no breach. So a run counts only when it saw enough
//! modules, and when each rule found a breach that was planted for it: a wrong arrow for every row
//! of the table, and the files in fixtures/ for the other rules.
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { ARROWS } from './tidy/arrows.ts';

const root = join(import.meta.dirname, '..');
const RULES = join(root, '.dependency-cruiser.cjs');
const FOLDERS = ['apps', 'packages', 'examples', 'tests', 'tools', 'bench'];
/** No module imports a program, and a program nothing of the command line. */
const PROGRAMS = 'apps/server/src/programs';
const COMMAND_LINE = 'apps/cli/src/main.ts';
/** Below this the cruiser has stopped reading, and its report does not count. */
const MODULES_MIN = 200;

interface Cruise {
  readonly modules: number;
  /** `rule: from → to`, one each. */
  readonly violations: readonly string[];
  readonly rules: readonly string[];
}

async function cruiseTree(baseDir: string): Promise<Cruise> {
  const options = await extractDepcruiseOptions(RULES);
  const folders = FOLDERS.filter((folder) => existsSync(join(baseDir, folder)));
  const { output } = await cruise(folders, { ...options, baseDir });
  const { summary } = output as ICruiseResult;
  return {
    modules: summary.totalCruised,
    violations: summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
    rules: options.ruleSet?.forbidden?.map(({ name }) => name ?? '') ?? [],
  };
}

function cruiseRepository(): Promise<Cruise> {
  return cruiseTree(root);
}

/** Below the root, so that packages are found from there. */
function cruisePlanted(): Promise<Cruise> {
  const planted = join(root, '.cache/planted-imports');
  rmSync(planted, { recursive: true, force: true });
  cpSync(join(root, 'tools/fixtures'), planted, { recursive: true });
  for (const { from } of ARROWS) {
    const target = from === PROGRAMS ? COMMAND_LINE : `${PROGRAMS}/api.ts`;
    mkdirSync(join(planted, from), { recursive: true });
    writeFileSync(
      join(planted, from, 'wrong-arrow.ts'),
      `export { started as wrong } from '${relative(from, target)}';\n`,
    );
  }
  return cruiseTree(planted);
}

/** Rules that let their planted violation through. */
export function blindRules({ rules, violations }: Cruise): string[] {
  return rules.filter((rule) => !violations.some((line) => line.startsWith(`${rule}: `)));
}

async function run(): Promise<number> {
  const found = await cruiseRepository();
  const blind = blindRules(await cruisePlanted());
  for (const line of found.violations) process.stdout.write(`${line}\n`);
  for (const rule of blind) process.stdout.write(`${rule}: the planted violation was not found\n`);
  const planted = blind.length === 0 ? 'planted violation found' : 'planted violation missed';
  process.stdout.write(
    `imports: ${found.modules} modules, ${found.violations.length} violations, ${planted}\n`,
  );
  if (found.modules < MODULES_MIN) {
    process.stdout.write(`imports: fewer than ${MODULES_MIN} modules; the cruiser is blind\n`);
  }
  const isClean = found.violations.length + blind.length === 0 && found.modules >= MODULES_MIN;
  return isClean ? 0 : 1;
}

if (import.meta.main) process.exitCode = await run();
