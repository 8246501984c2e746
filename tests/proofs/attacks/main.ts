//! `npm run test:attacks`: tries every attack against a set as production runs it. None may succeed
//! that is not marked as open, and each must leave an audit entry or an alarm.
import { flag, type OptionsOf, words } from '../../harness/options.ts';
import { openProductionSet } from '../../harness/production-set.ts';
import { print, secondsSince } from '../../harness/report.ts';
import { runHarness } from '../../harness/run.ts';
import type { Attack } from './attack.ts';
import { findEvidence } from './evidence.ts';
import { readAttacks } from './read-attacks.ts';
import { switchFixesOff } from './without-fixes.ts';
import { type AttackWorld, createWorld } from './world.ts';

const ATTACKS = await readAttacks();

const options = {
  quick: flag('the short slice'),
  only: words(
    'attacks to try',
    ATTACKS.map(({ id }) => id),
    ATTACKS.filter(({ isQuick }) => isQuick).map(({ id }) => id),
  ),
  'without-fixes': flag('switch each fix off in a copy of the source: its attack must succeed'),
};

async function testAttacks(given: OptionsOf<typeof options>): Promise<string[]> {
  const chosen = ATTACKS.filter(({ id }) => given.only.includes(id));
  return given['without-fixes'] ? switchFixesOff(chosen) : attackAll(chosen);
}

async function attackAll(chosen: readonly Attack[]): Promise<string[]> {
  const startedAt = performance.now();
  await using set = await openProductionSet();
  print(`production set open after ${secondsSince(startedAt)}`);
  const world = createWorld(set);
  const evidence: Promise<string[]>[] = [];
  const wrong: string[] = [];
  for (const attack of chosen) {
    const since = new Date();
    wrong.push(...(await tryAttack(world, attack)));
    evidence.push(checkEvidence(world, attack, since));
  }
  wrong.push(...(await Promise.all(evidence)).flat());
  const open = chosen.filter((attack) => attack.open !== undefined);
  print(`${chosen.length} attacks, ${open.length} of them open, in ${secondsSince(startedAt)}`);
  for (const attack of open) print(`open: ${nameOf(attack)}: ${attack.open}`);
  return wrong;
}

async function tryAttack(world: AttackWorld, attack: Attack): Promise<string[]> {
  const name = nameOf(attack);
  const startedAt = performance.now();
  try {
    const gained = await attack.run(world);
    const result = gained === undefined ? 'failed' : `SUCCEEDED, ${gained}`;
    print(`${name}: ${result} (${secondsSince(startedAt)})`);
    if (gained !== undefined && attack.open === undefined) return [`${name}: succeeded, ${gained}`];
    if (gained === undefined && attack.open !== undefined) return [`${name}: no longer open`];
    return [];
  } catch (error) {
    return [`${name} could not be tried: ${(error as Error).stack}`];
  }
}

/** An open attack may still go unnoticed. */
async function checkEvidence(world: AttackWorld, attack: Attack, since: Date): Promise<string[]> {
  if (attack.open !== undefined) return [];
  const evidence = await findEvidence(world, attack, since);
  if (evidence === undefined) return [`${nameOf(attack)}: no evidence within 60 s`];
  print(`evidence of ${attack.id}: ${evidence}`);
  return [];
}

const nameOf = ({ id, title }: Attack) => `${id}, ${title}`;

await runHarness({ name: 'npm run test:attacks', options }, testAttacks);
