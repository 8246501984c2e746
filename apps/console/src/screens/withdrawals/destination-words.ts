//! The kinds of destination of a withdrawal, in words.
import type { Withdrawal } from '@holdfast/sdk';

type DestinationType = Withdrawal['destination']['type'];

export const DESTINATION_WORDS: Readonly<Record<DestinationType, string>> = {
  payment_account: 'Payment account',
  crypto: 'Blockchain address',
  bank: 'Bank account',
};
