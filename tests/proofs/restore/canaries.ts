//! Takes one protection out at a time, in a checkout of its own: the drill must fail then. A drill
//! that cannot fail proves nothing.
import { spawnSync } from 'node:child_process';
import { createCheckout } from '../../../tools/planted/checkout.ts';
import { type Fault, plant } from '../../../tools/planted/fault.ts';
import { print, secondsSince } from '../../harness/report.ts';

export interface Canary extends Fault {
  /** In which the protection matters. */
  readonly way: string;
}

/** The moment is drawn: one round may not need the protection. */
const ROUNDS_MAX = 4;
const ROUND_MS_MAX = 300_000;

interface Program {
  readonly name: string;
  readonly program: string;
  readonly canaries: readonly Canary[];
}

/** Returns the canaries that the drill did not find. */
export function tryCanaries(drill: Program): string[] {
  const checkout = createCheckout('HEAD');
  const wrong: string[] = [];
  try {
    for (const canary of drill.canaries) {
      const startedAt = performance.now();
      const restore = plant(checkout.root, canary);
      const found = findWithin(checkout.root, drill, canary);
      restore();
      print(`${canary.name}, ${secondsSince(startedAt)}: ${found ?? 'NOT FOUND'}`);
      if (found === undefined) wrong.push(`${canary.name} was not found: ${canary.why}`);
    }
  } finally {
    checkout.remove();
  }
  print(`${drill.canaries.length - wrong.length} of ${drill.canaries.length} found`);
  return wrong;
}

/** The first thing that was wrong. */
function findWithin(root: string, { name, program }: Program, { way }: Canary): string | undefined {
  const isWrong = new RegExp(`^${name.replace(/^.* /, '')}: \\d+ wrong$`, 'm');
  for (let seed = 1; seed <= ROUNDS_MAX; seed += 1) {
    const output = drillOnce(root, program, way, seed);
    if (isWrong.test(output))
      return /^ {2}round 1: (?!books)(.*)$/m.exec(output)?.[1] ?? output.slice(-1000);
  }
  return undefined;
}

/** From the sources: bundled programs would still contain the protection. */
function drillOnce(root: string, program: string, way: string, seed: number): string {
  const { BUNDLED_PROGRAMS: _, ...env } = process.env;
  const script = ['--conditions=@holdfast/source', program];
  const how = { cwd: root, env, encoding: 'utf8', timeout: ROUND_MS_MAX } as const;
  const args = [...script, '--rounds', '1', '--ways', way, '--seed', String(seed)];
  const { stdout, stderr } = spawnSync(process.execPath, args, how);
  return stdout + stderr;
}
