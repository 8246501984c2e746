//! The test lab: time and faults of the sandbox. Only where one is configured, in development.
import { Type } from 'typebox';
import { LabView } from '#console-records';
import { endpoint } from '#endpoint';
import { closed, oneOf, text } from '#fields';
import { LENGTHS } from '#limits';
import { ADMIN } from '#roles';
import { LAB_SCENARIOS } from '#words';

const lab = { status: 200, data: LabView } as const;

/** The sandbox knows which there are. */
const named = (example: string) => Type.String({ ...text(LENGTHS.name), examples: [example] });

export const labEndpoints = {
  getLab: endpoint('getLab', 'GET', '/lab', {
    scope: 'read',
    origin: 'ours',
    summary: 'Tell the time of the sandbox, its armed faults, and what else it can be told',
    success: lab,
    errors: ['FEATURE_NOT_AVAILABLE'],
  }),
  advanceLabClock: endpoint('advanceLabClock', 'POST', '/lab/clock/advance', {
    scope: 'support',
    operators: ADMIN,
    origin: 'ours',
    summary: 'Set the clock of the sandbox forward, and with it ours',
    body: closed({ seconds: Type.Integer({ minimum: 1, maximum: 31_536_000 }) }),
    success: lab,
    errors: ['FEATURE_NOT_AVAILABLE'],
  }),
  armLabFault: endpoint('armLabFault', 'POST', '/lab/faults', {
    scope: 'support',
    operators: ADMIN,
    origin: 'ours',
    summary: 'Make the next such steps of a pretended provider fail',
    body: closed({
      provider: named('escrow'),
      operation: named('status'),
      kind: named('drop-after'),
      times: Type.Integer({ minimum: 1, maximum: 1000 }),
    }),
    success: lab,
    errors: ['FEATURE_NOT_AVAILABLE'],
  }),
  clearLabFaults: endpoint('clearLabFaults', 'DELETE', '/lab/faults', {
    scope: 'support',
    operators: ADMIN,
    origin: 'ours',
    bodyRead: 'none',
    summary: 'Disarm all faults',
    success: lab,
    errors: ['FEATURE_NOT_AVAILABLE'],
  }),
  runLabScenario: endpoint('runLabScenario', 'POST', '/lab/scenarios', {
    scope: 'support',
    operators: ADMIN,
    origin: 'ours',
    summary: 'Arm a named set of faults, or let a day pass',
    body: closed({ name: oneOf(LAB_SCENARIOS) }),
    success: lab,
    errors: ['FEATURE_NOT_AVAILABLE'],
  }),
};
