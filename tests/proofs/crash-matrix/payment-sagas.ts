//! The sagas of top-ups and withdrawals. Payments at the provider end only when a cell ends them.
import type { ApiRequest } from '../../harness/api.ts';
import {
  endPayment,
  newPayment,
  prepareTopup,
  prepareWithdrawal,
  readPaymentEnding,
} from './payment-fixture.ts';
import type { Effects, Ending, Fixture, RequestRow } from './saga-row.ts';

const ending = (status: string, balance: string): Ending => ({ status, balance });
const NOTHING = '0.00 0.00';
const HELD = '30.00 20.00';
const RETURNED = '50.00 0.00';
const AWAITING = ending('TOPUP_AWAITING_USER_CONFIRMATION', NOTHING);
const PENDING = ending('WITHDRAWAL_PENDING', HELD);
const FAILED = ending('WITHDRAWAL_FAILED', RETURNED);
const SENT: Effects = { 'payout.create': 1, 'payout.commit': 1 };

const committing = ({ subjectId }: Fixture): ApiRequest => ({
  path: `/withdrawals/${subjectId}/commit`,
});

/** Its route accepts a key, and it has no milestones. */
const PAYMENT = {
  milestones: [0],
  isPayment: true,
  isKeyed: true,
  read: readPaymentEnding,
  finish: endPayment,
} as const;

export const PAYMENT_SAGAS: readonly RequestRow[] = [
  {
    ...PAYMENT,
    name: 'create top-up',
    prepare: newPayment,
    call: ({ userIds: [userId] }) => ({ path: '/topups', body: { userId, amount: '50.00' } }),
    done: AWAITING,
    endsRefused: () => ({ ending: ending('TOPUP_FAILED', NOTHING), effects: {} }),
    effects: () => ({ 'payin.create': 1 }),
    hasAddresses: false,
    providerCalls: { 'create-topup:create': 'payin.create' },
  },
  {
    ...PAYMENT,
    name: 'cancel top-up',
    prepare: prepareTopup('open'),
    call: ({ subjectId }) => ({ path: `/topups/${subjectId}/cancel` }),
    done: ending('TOPUP_CANCELED', NOTHING),
    undone: AWAITING,
    effects: () => ({ 'payin.create': 1, 'payin.cancel': 1 }),
    hasAddresses: false,
    providerCalls: { 'cancel-topup:cancel': 'payin.cancel' },
  },
  {
    ...PAYMENT,
    name: 'refresh top-up',
    prepare: prepareTopup('paid'),
    call: ({ subjectId }) => ({ path: `/topups/${subjectId}/refresh` }),
    isRead: true,
    done: ending('TOPUP_SUCCEEDED', RETURNED),
    effects: () => ({ 'payin.create': 1, 'payin.confirm': 1 }),
    hasAddresses: false,
    providerCalls: { 'refresh-topup:find': 'payin.find' },
  },
  {
    ...PAYMENT,
    name: 'pay through provider',
    prepare: prepareWithdrawal('payment_account', 'created'),
    call: committing,
    done: PENDING,
    endsRefused: (step) => ({
      ending: FAILED,
      effects: step.endsWith(':commit') ? { 'payout.create': 1, 'payout.cancel': 1 } : {},
    }),
    effects: () => SENT,
    hasAddresses: true,
    providerCalls: {
      'commit-withdrawal:create': 'payout.create',
      'commit-withdrawal:commit': 'payout.commit',
    },
  },
  {
    ...PAYMENT,
    name: 'pay over network',
    prepare: prepareWithdrawal('crypto', 'created'),
    call: committing,
    done: ending('WITHDRAWAL_COMPLETED', '30.00 0.00'),
    endsRefused: () => ({ ending: FAILED, effects: {} }),
    // The auditor counts payments of the network.
    effects: () => ({}),
    hasAddresses: true,
  },
  {
    ...PAYMENT,
    name: 'cancel withdrawal',
    prepare: prepareWithdrawal('payment_account', 'sent'),
    call: ({ subjectId }) => ({ path: `/withdrawals/${subjectId}/cancel` }),
    done: ending('WITHDRAWAL_CANCELED', RETURNED),
    undone: PENDING,
    effects: () => ({ ...SENT, 'payout.cancel': 1 }),
    hasAddresses: true,
    providerCalls: { 'cancel-withdrawal:cancel': 'payout.cancel' },
  },
];
