//! Takes one protection out at a time, in a checkout of its own: the drill must fail then. A drill
//! that cannot fail proves nothing.
import { spawnSync } from 'node:child_process';
import { createCheckout } from '../../../tools/planted/checkout.ts';
import { type Fault, plant } from '../../../tools/planted/fault.ts';
import { print, secondsSince } from '../../harness/report.ts';

const FUNCTIONS = 'apps/server/src/platform/database/functions';

const CANARIES: readonly Fault[] = [
  {
    name: 'no known numbers',
    file: `${FUNCTIONS}/work/lineage/is_known_number.sql`,
    find: 'select mod(wanted_sequence - 1, 4294967296) = 0 or exists (',
    replace: 'select true or exists (',
    why: 'a forgotten transaction does not bar its account',
  },
  {
    name: 'any channel',
    file: 'apps/server/src/accounts/custody/send-payments.ts',
    find: 'isComplete ? pickFor(withdrawalId, channels) : undefined;',
    replace: 'isComplete ? channels[Math.floor(Math.random() * channels.length)] : undefined;',
    why: 'a forgotten payment and its repetition do not compete for one sequence number',
  },
  {
    name: 'no lineage check',
    file: 'apps/server/src/assurance/recovery/check-lineage.ts',
    find: '  // What was lost before and is not found yet stays lost.\n',
    replace: '  return undefined;\n',
    why: 'a database that was set back is not closed',
  },
];

/** Which moment and which way are drawn: one round may not need the protection. */
const ROUNDS_MAX = 4;
const ROUND_MS_MAX = 300_000;

interface Program {
  readonly name: string;
  readonly program: string;
}

/** Returns the canaries that the drill did not find. */
export function tryCanaries(drill: Program): string[] {
  const checkout = createCheckout('HEAD');
  const wrong: string[] = [];
  try {
    for (const canary of CANARIES) {
      const startedAt = performance.now();
      const restore = plant(checkout.root, canary);
      const found = findWithin(checkout.root, drill);
      restore();
      print(`${canary.name}, ${secondsSince(startedAt)}: ${found ?? 'NOT FOUND'}`);
      if (found === undefined) wrong.push(`${canary.name} was not found: ${canary.why}`);
    }
  } finally {
    checkout.remove();
  }
  print(`${CANARIES.length - wrong.length} of ${CANARIES.length} found`);
  return wrong;
}

/** The first thing that was wrong. */
function findWithin(root: string, { name, program }: Program): string | undefined {
  const isWrong = new RegExp(`^${name.replace(/^.* /, '')}: \\d+ wrong$`, 'm');
  for (let seed = 1; seed <= ROUNDS_MAX; seed += 1) {
    const output = drillOnce(root, program, seed);
    if (isWrong.test(output))
      return /^ {2}round 1: (?!books)(.*)$/m.exec(output)?.[1] ?? output.slice(-1000);
  }
  return undefined;
}

/** From the sources: bundled programs would still contain the protection. */
function drillOnce(root: string, program: string, seed: number): string {
  const { BUNDLED_PROGRAMS: _, ...env } = process.env;
  const script = ['--conditions=@holdfast/source', program];
  const how = { cwd: root, env, encoding: 'utf8', timeout: ROUND_MS_MAX } as const;
  const args = [...script, '--rounds', '1', '--seed', String(seed)];
  const { stdout, stderr } = spawnSync(process.execPath, args, how);
  return stdout + stderr;
}
