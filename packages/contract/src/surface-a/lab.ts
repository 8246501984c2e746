//! The test lab: clock, faults and scenarios of the sandbox. Only where a sandbox is configured.
import { Type } from 'typebox';
import { ownEndpoint } from '#endpoint';
import { LAB_SAMPLES, LAB_SCENARIOS } from '#enums';
import { DEBT_REPAYMENT } from '#events';
import { closed, oneOf, text } from '#fields';
import { LAB_ORDERS_MAX, LENGTHS } from '#limits';
import { LabSeedView, LabView } from '#records/console-records';
import { ADMIN } from '#roles';

const lab = { status: 200, data: LabView } as const;

/** The sandbox knows which there are. */
const named = (example: string) => Type.String({ ...text(LENGTHS.name), examples: [example] });

export const labEndpoints = {
  getLab: ownEndpoint('getLab', 'GET', '/lab', {
    scope: 'read',
    summary:
      'Get the clock of the sandbox, its active faults, and the available faults and scenarios',
    success: lab,
    errors: ['FEATURE_NOT_AVAILABLE'],
  }),
  advanceLabClock: ownEndpoint('advanceLabClock', 'POST', '/lab/clock/advance', {
    scope: 'support',
    operators: ADMIN,
    summary: 'Advance the clock of the sandbox, and with it that of the service',
    body: closed({ seconds: Type.Integer({ minimum: 1, maximum: 31_536_000 }) }),
    success: lab,
    errors: ['FEATURE_NOT_AVAILABLE'],
  }),
  armLabFault: ownEndpoint('armLabFault', 'POST', '/lab/faults', {
    scope: 'support',
    operators: ADMIN,
    summary:
      'Inject a fault into the next matching calls to a simulated provider or the simulated network',
    body: closed({
      provider: named('escrow'),
      operation: named('status'),
      kind: named('drop-after'),
      times: Type.Integer({ minimum: 1, maximum: 1000 }),
    }),
    success: lab,
    errors: ['FEATURE_NOT_AVAILABLE'],
  }),
  clearLabFaults: ownEndpoint('clearLabFaults', 'DELETE', '/lab/faults', {
    scope: 'support',
    operators: ADMIN,
    bodyRead: 'none',
    summary: 'Clear all faults',
    success: lab,
    errors: ['FEATURE_NOT_AVAILABLE'],
  }),
  runLabScenario: ownEndpoint('runLabScenario', 'POST', '/lab/scenarios', {
    scope: 'support',
    operators: ADMIN,
    summary: 'Run a named scenario: add a set of faults, or advance a day',
    body: closed({ name: oneOf(LAB_SCENARIOS) }),
    success: lab,
    errors: ['FEATURE_NOT_AVAILABLE'],
  }),
  seedLab: ownEndpoint('seedLab', 'POST', '/lab/seed', {
    scope: 'support',
    operators: ADMIN,
    summary: 'Create sample orders and run each through a scenario',
    body: closed({
      sample: oneOf(LAB_SAMPLES),
      count: Type.Integer({ minimum: 1, maximum: LAB_ORDERS_MAX }),
    }),
    success: { status: 200, data: LabSeedView },
    errors: [
      'FEATURE_NOT_AVAILABLE',
      'USER_ALREADY_EXISTS',
      'USER_NOT_ACTIVE',
      'PAYMENT_ACCOUNT_INVALID',
      'PAYMENT_ACCOUNT_TAKEN',
      'PROVIDER_TIMEOUT',
      'ENGINE_UNAVAILABLE',
    ],
    emits: [
      'user.created',
      'user.ledger_linked',
      'user.payment_account_linked',
      'order.created',
      'balance.credited',
      'balance.reserved',
      ...DEBT_REPAYMENT,
      'order.funds_reserved',
      'order.escrow_creating',
      'escrow.created',
      'order.escrow_funding',
      'escrow.funding_started',
      'escrow.funded',
      'order.escrow_funded',
      'order.in_progress',
      'dispute.opened',
      'order.disputed',
      'order.release_requested',
      'escrow.released',
      'order.released',
      'order.closed',
    ],
  }),
};
