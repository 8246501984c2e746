//! The test lab: reads and steers the sandbox, where one is configured: GET /lab and below.
import { refuse } from '@holdfast/contract/errors';
import type { LAB_SCENARIOS } from '@holdfast/contract/words';
import { type Instant, systemClock } from '@holdfast/kernel/clock';
import type { LabFault, SandboxControl } from '../providers/sandbox-control.http.ts';

export interface Lab {
  readonly now: Instant;
  readonly offsetMs: number;
  readonly faults: readonly LabFault[];
}

/** Undefined where no sandbox is configured, as in production. */
export type MaybeSandbox = SandboxControl | undefined;

type Scenario = (typeof LAB_SCENARIOS)[number];

const DAY_SECONDS = 86_400;

const once = (provider: string, operation: string, kind: string): LabFault => ({
  provider,
  operation,
  kind,
  times: 1,
});

/** What each scenario arms. */
export const SCENARIOS: Readonly<Record<Scenario, { means: string; arms: readonly LabFault[] }>> = {
  'lost-answers': {
    means: 'The next payment on the network and the next pay-out are done, and nobody is told.',
    arms: [once('ledger', 'submit', 'drop-after'), once('payment', 'payout.commit', 'drop-after')],
  },
  'refused-funding': {
    means: 'The next funding of a contract is refused for good.',
    arms: [once('escrow', 'fund', 'reject')],
  },
  'lost-webhooks': {
    means: 'The next webhook of each provider is lost.',
    arms: [once('escrow', 'webhook', 'drop-webhook'), once('payment', 'webhook', 'drop-webhook')],
  },
  'doubled-webhooks': {
    means: 'The next webhook of each provider comes three times.',
    arms: [
      once('escrow', 'webhook', 'duplicate-webhook'),
      once('payment', 'webhook', 'duplicate-webhook'),
    ],
  },
  'late-webhooks': {
    means: 'The next webhook of each provider comes after the one that follows it.',
    arms: [
      once('escrow', 'webhook', 'reorder-webhooks'),
      once('payment', 'webhook', 'reorder-webhooks'),
    ],
  },
  'next-day': { means: 'A day passes, for everybody.', arms: [] },
};

export async function getLab(sandbox: MaybeSandbox): Promise<Lab> {
  const control = sandboxOf(sandbox);
  const offsetMs = await control.clockOffsetMs();
  return { now: systemClock.now() + offsetMs, offsetMs, faults: await control.faults() };
}

export async function advanceClock(sandbox: MaybeSandbox, seconds: number): Promise<Lab> {
  await sandboxOf(sandbox).advanceClock(seconds);
  return getLab(sandbox);
}

export async function armFault(sandbox: MaybeSandbox, fault: LabFault): Promise<Lab> {
  await sandboxOf(sandbox).armFault(fault);
  return getLab(sandbox);
}

export async function clearFaults(sandbox: MaybeSandbox): Promise<Lab> {
  await sandboxOf(sandbox).clearFaults();
  return getLab(sandbox);
}

export async function runScenario(sandbox: MaybeSandbox, name: Scenario): Promise<Lab> {
  const control = sandboxOf(sandbox);
  for (const fault of SCENARIOS[name].arms) await control.armFault(fault);
  if (name === 'next-day') await control.advanceClock(DAY_SECONDS);
  return getLab(sandbox);
}

/** Refuses where there is none. */
export function sandboxOf(sandbox: MaybeSandbox): SandboxControl {
  return sandbox ?? refuse('FEATURE_NOT_AVAILABLE', { feature: 'lab' });
}
