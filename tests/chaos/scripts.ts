//! The scripts of the clients, and the percentage of orders that run each. A new script is a file
//! in `scripts/` and a row here; disruptions have their rows in `options.ts`, provider faults in
//! `provider-faults.ts`.
import type { Life } from './life.ts';
import { cancelAtOnce, cancelReserved } from './scripts/cancel.ts';
import { disputeRefund, disputeRelease, disputeSplit } from './scripts/dispute.ts';
import { happy } from './scripts/happy.ts';
import { invalid } from './scripts/invalid.ts';
import { race } from './scripts/race.ts';
import { refundAtWork } from './scripts/refund.ts';

type Script = (life: Life) => Promise<void>;

interface ScriptRow {
  readonly run: Script;
  readonly share: number;
}

// biome-ignore format: a table.
export const SCRIPTS = {
  happy:             { share: 55, run: happy },
  refund:            { share: 10, run: refundAtWork },
  'dispute-release': { share: 4,  run: disputeRelease },
  'dispute-refund':  { share: 4,  run: disputeRefund },
  'dispute-split':   { share: 4,  run: disputeSplit },
  cancel:            { share: 4,  run: cancelAtOnce },
  'cancel-reserved': { share: 4,  run: cancelReserved },
  race:              { share: 10, run: race },
  invalid:           { share: 5,  run: invalid },
} as const satisfies Record<string, ScriptRow>;

export type ScriptName = keyof typeof SCRIPTS;

export const SHARES = Object.fromEntries(
  Object.entries(SCRIPTS).map(([name, { share }]) => [name, share]),
) as Record<ScriptName, number>;
