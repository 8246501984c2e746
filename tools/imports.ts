//! `npm run imports`: checks all imports against the table in tidy/arrows.ts.
//!
//! A cruiser that reads no file reports no breach. So a run counts only when it saw enough
//! modules, and when the same rules found the breach planted for each of them in fixtures/.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

const root = join(import.meta.dirname, '..');
const RULES = join(root, '.dependency-cruiser.cjs');
const FOLDERS = ['apps', 'packages', 'examples', 'tests', 'tools', 'bench'];
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

function cruisePlanted(): Promise<Cruise> {
  return cruiseTree(join(root, 'tools/fixtures'));
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
