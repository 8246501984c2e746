//! Switches fixes off, one at a time, in a checkout of its own: a suite that cannot fail proves
//! nothing.
import { spawnSync } from 'node:child_process';
import { createCheckout } from '../../../tools/planted/checkout.ts';
import { plant } from '../../../tools/planted/fault.ts';
import { print } from '../../harness/report.ts';
import type { Attack } from './attack.ts';

const RUN_MS_MAX = 180_000;

/** The attacks that still failed although their fix was off. */
export function switchFixesOff(attacks: readonly Attack[]): string[] {
  const checkout = createCheckout('HEAD');
  const wrong: string[] = [];
  try {
    for (const { id, title, withoutFix } of attacks) {
      if (withoutFix === undefined) continue;
      const restore = plant(checkout.root, { name: id, why: title, ...withoutFix });
      const output = runAttack(checkout.root, id);
      restore();
      const gained = /: SUCCEEDED, (.*) \(\d+ s\)$/m.exec(output)?.[1];
      print(`${id}, ${title}: without its fix ${gained ?? 'it failed'}`);
      if (gained === undefined) wrong.push(`${id} failed without its fix:\n${output.slice(-2000)}`);
    }
  } finally {
    checkout.remove();
  }
  return wrong;
}

/** From the sources: bundled programs would still contain the fix. */
function runAttack(root: string, id: string): string {
  const { BUNDLED_PROGRAMS: _, ...env } = process.env;
  const args = ['--conditions=@holdfast/source', 'tests/proofs/attacks/main.ts', '--only', id];
  const how = { cwd: root, env, encoding: 'utf8', timeout: RUN_MS_MAX } as const;
  const { stdout, stderr } = spawnSync(process.execPath, args, how);
  return stdout + stderr;
}
