//! The scripts of the clients, and the percentage of orders that run each. A new script is one
//! in `scripts/` and a row here; disruptions have their rows in `options.ts`, provider faults in
//! `provider-faults.ts`.
import type { Life } from './life.ts';
import { invalid } from './scripts/invalid.ts';
import { race } from './scripts/race.ts';
import * as straight from './scripts/straight.ts';

type Script = (life: Life) => Promise<void>;

interface ScriptRow {
  readonly run: Script;
  readonly share: number;
}

// biome-ignore format: a table.
export const SCRIPTS = {
  happy:             { share: 55, run: straight.happy },
  refund:            { share: 10, run: straight.refundAtWork },
  'dispute-release': { share: 4,  run: straight.disputeRelease },
  'dispute-refund':  { share: 4,  run: straight.disputeRefund },
  'dispute-split':   { share: 4,  run: straight.disputeSplit },
  cancel:            { share: 4,  run: straight.cancelAtOnce },
  'cancel-reserved': { share: 4,  run: straight.cancelReserved },
  race:              { share: 10, run: race },
  invalid:           { share: 5,  run: invalid },
} as const satisfies Record<string, ScriptRow>;

export type ScriptName = keyof typeof SCRIPTS;

export const SHARES = Object.fromEntries(
  Object.entries(SCRIPTS).map(([name, { share }]) => [name, share]),
) as Record<ScriptName, number>;
