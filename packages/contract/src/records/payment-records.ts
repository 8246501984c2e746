//! Records of money that comes in and goes out through the payment provider and the network.
import { type Static, Type } from 'typebox';
import { DESTINATION_TYPES, FEE_PAYERS } from '#enums';
import { amount, currency, id, instant, metadata, nullable, oneOf, record } from '#fields';
import { statesOf } from '#machine';
import { topupMachine } from '#machines/topup-machine';
import { withdrawalMachine } from '#machines/withdrawal-machine';

const words = () => nullable(Type.String());
const when = () => nullable(instant());
const stamps = { createdAt: instant(), updatedAt: instant() };

export const TopupView = record('Topup', {
  id: id('topup'),
  status: oneOf(statesOf(topupMachine)),
  userId: id('usr'),
  amount: amount(),
  currency: currency(),
  description: words(),
  confirmationUri: words(),
  returnUrl: words(),
  cancelUrl: words(),
  providerPayinId: words(),
  failureReason: words(),
  errorCode: words(),
  metadata: metadata(),
  /** What the payment provider keeps of the amount; null before its record was read. */
  providerFee: nullable(amount()),
  /** Who bears that fee: the user is charged it, or the marketplace is not paid it. */
  providerFeePaidBy: oneOf(FEE_PAYERS),
  /** What the payer's bank has taken back of the credited amount. */
  reversedAmount: amount(),
  ...stamps,
});
export type TopupView = Static<typeof TopupView>;

export const WithdrawalView = record('Withdrawal', {
  id: id('wd'),
  status: oneOf(statesOf(withdrawalMachine)),
  userId: id('usr'),
  amount: amount(),
  currency: currency(),
  destination: record('Destination', {
    type: oneOf(DESTINATION_TYPES),
    ref: Type.String(),
    memo: Type.Optional(Type.String()),
  }),
  providerPayoutId: words(),
  transactionHash: words(),
  actionRequired: words(),
  actionUrl: words(),
  failureReason: words(),
  errorCode: words(),
  /** What was paid out and came back; the user has it again. */
  returnedAmount: amount(),
  expiresAt: when(),
  committedAt: when(),
  completedAt: when(),
  ...stamps,
});
export type WithdrawalView = Static<typeof WithdrawalView>;

export const DebtView = record('Debt', {
  userId: id('usr'),
  currency: currency(),
  /** Repaid first from the next money that the user receives. */
  owed: amount(),
});
export type DebtView = Static<typeof DebtView>;
