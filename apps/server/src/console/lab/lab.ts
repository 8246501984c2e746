//! The test lab: reads and steers the sandbox, where one is configured: GET /lab and below.

import type { LAB_SCENARIOS } from '@holdfast/contract/enums';
import { refuse } from '@holdfast/contract/errors';
import { type Instant, systemClock } from '@holdfast/kernel/clock';
import type { Call } from '../../platform/call.ts';
import { type Transactor, transact } from '../../platform/database/transact.ts';
import type { LabFault, SandboxControl } from '../../providers/sandbox-control.http.ts';
import { audit } from '../../record/audit/audit-entry.ts';

export interface Lab {
  readonly now: Instant;
  readonly offsetMs: number;
  readonly faults: readonly LabFault[];
}

/** Undefined where no sandbox is configured, as in production. */
export type MaybeSandbox = SandboxControl | undefined;

interface Steerer extends Transactor {
  readonly sandbox: MaybeSandbox;
}

type Scenario = (typeof LAB_SCENARIOS)[number];

const DAY_SECONDS = 86_400;

const once = (provider: string, operation: string, kind: string): LabFault => ({
  provider,
  operation,
  kind,
  times: 1,
});

/** The faults that each scenario arms. */
export const SCENARIOS: Readonly<
  Record<Scenario, { description: string; arms: readonly LabFault[] }>
> = {
  'lost-replies': {
    description:
      'The next blockchain transaction and the next payout succeed, but their replies are lost.',
    arms: [once('ledger', 'submit', 'drop-after'), once('payment', 'payout.commit', 'drop-after')],
  },
  'refused-funding': {
    description: 'The next funding of an escrow contract is rejected.',
    arms: [once('escrow', 'fund', 'reject')],
  },
  'lost-webhooks': {
    description: 'The next webhook of each provider is lost.',
    arms: [once('escrow', 'webhook', 'drop-webhook'), once('payment', 'webhook', 'drop-webhook')],
  },
  'doubled-webhooks': {
    description: 'The next webhook of each provider arrives three times.',
    arms: [
      once('escrow', 'webhook', 'duplicate-webhook'),
      once('payment', 'webhook', 'duplicate-webhook'),
    ],
  },
  'late-webhooks': {
    description: 'The next two webhooks of each provider arrive in reverse order.',
    arms: [
      once('escrow', 'webhook', 'reorder-webhooks'),
      once('payment', 'webhook', 'reorder-webhooks'),
    ],
  },
  'next-day': { description: 'Advances the clock by one day.', arms: [] },
};

async function getLab(sandbox: MaybeSandbox): Promise<Lab> {
  const control = sandboxOf(sandbox);
  const offsetMs = await control.clockOffsetMs();
  return { now: systemClock.now() + offsetMs, offsetMs, faults: await control.faults() };
}

function advanceClock(app: Steerer, call: Call, seconds: number): Promise<Lab> {
  return steer(app, call, { setForwardBySeconds: seconds }, (control) =>
    control.advanceClock(seconds),
  );
}

function armFault(app: Steerer, call: Call, fault: LabFault): Promise<Lab> {
  return steer(app, call, { armed: [fault] }, (control) => control.armFault(fault));
}

function clearFaults(app: Steerer, call: Call): Promise<Lab> {
  return steer(app, call, { disarmed: 'all' }, (control) => control.clearFaults());
}

function runScenario(app: Steerer, call: Call, name: Scenario): Promise<Lab> {
  const { arms } = SCENARIOS[name];
  const isDay = name === 'next-day';
  const change = {
    scenario: name,
    ...(isDay ? { setForwardBySeconds: DAY_SECONDS } : { armed: arms }),
  };
  return steer(app, call, change, async (control) => {
    for (const fault of arms) await control.armFault(fault);
    if (isDay) await control.advanceClock(DAY_SECONDS);
  });
}

export const lab = { read: getLab, advanceClock, armFault, clearFaults, runScenario } as const;

/** Recorded before the sandbox is called: the request is audited, with any outcome. */
async function steer(
  app: Steerer,
  call: Call,
  change: Record<string, unknown>,
  apply: (control: SandboxControl) => Promise<void>,
): Promise<Lab> {
  const control = sandboxOf(app.sandbox);
  await transact(app, call, (tx) =>
    audit(tx, { action: 'LAB_STEERED', resourceId: 'sandbox', after: change }),
  );
  await apply(control);
  return getLab(app.sandbox);
}

/** Refuses where there is no sandbox. */
export function sandboxOf(sandbox: MaybeSandbox): SandboxControl {
  return sandbox ?? refuse('FEATURE_NOT_AVAILABLE', { feature: 'lab' });
}
