//! The test lab: time, faults and stories of the sandbox. Only where one is configured.
import { Type } from 'typebox';
import { LabSeedView, LabView } from '#console-records';
import { endpoint } from '#endpoint';
import { closed, oneOf, text } from '#fields';
import { LAB_ORDERS_MAX, LENGTHS } from '#limits';
import { ADMIN } from '#roles';
import { LAB_SCENARIOS, LAB_STORIES } from '#words';

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
  seedLab: endpoint('seedLab', 'POST', '/lab/seed', {
    scope: 'support',
    operators: ADMIN,
    origin: 'ours',
    summary: 'Make orders between people of the lab, and bring each as far as the story goes',
    body: closed({
      story: oneOf(LAB_STORIES),
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
