//! What each way of dealing with an exception posts, in words, before anybody does it.
import type { ExceptionAction, ExceptionCause, ReconciliationException } from '@holdfast/sdk';

interface ActionWords {
  readonly label: string;
  readonly posts: boolean;
}

export const ACTION_WORDS: Readonly<Record<ExceptionAction, ActionWords>> = {
  BOOK_TO_SUSPENSE: { label: 'Book to suspense', posts: true },
  CREDIT_USER: { label: 'Credit a user', posts: true },
  WRITE_OFF: { label: 'Write off', posts: true },
  APPLY_AGAIN: { label: 'Look again', posts: false },
  ACCEPT: { label: 'Accept', posts: false },
};

// biome-ignore format: a table is the one thing exempt from the line limit.
export const CAUSE_WORDS: Readonly<Record<ExceptionCause, string>> = {
  PROVIDER_BALANCE_CHANGED: "The provider's balance moved, and no record of it says why.",
  PAYIN_MISSING_HERE: 'A pay-in came in that we have no top-up for.',
  PAYIN_MISSING_THERE: 'We credited a top-up that the provider does not know.',
  PAYOUT_MISSING_HERE: 'A pay-out that nobody here asked for.',
  PAYOUT_MISSING_THERE: 'A withdrawal we call paid, and the provider has none.',
  PAYOUT_DOUBLED: 'A second pay-out that names one of our withdrawals.',
  AMOUNT_MISMATCH: 'Both sides have it, with different amounts.',
  STATUS_MISMATCH: 'One side says that it ended, the other does not.',
  LEDGER_PAYMENT_UNBOOKED: "A stranger paid to a user's address, and it was never credited.",
  ADDRESS_DIFFERENCE: 'An address holds more or less than anything explains.',
  CONTRACT_DIFFERENCE: "A contract holds more or less than the order's escrow.",
  TREASURY_DIFFERENCE: "The house's wallets hold more or less than the books and its capital say.",
  DUST: "Less than a cent at an address; it stays the user's.",
};

type Differing = Pick<ReconciliationException, 'amount' | 'currency'>;

/** Lines for the dialog. A negative amount means that the other side has less than our books. */
export function effectOf(
  action: ExceptionAction,
  { amount, currency }: Differing,
  userId: string,
): readonly string[] {
  const isLess = amount.startsWith('-');
  const size = `${isLess ? amount.slice(1) : amount} ${currency}`;
  const toSuspense = isLess
    ? `Posts ${size} out of suspense to the clearing account.`
    : `Posts ${size} from the clearing account into suspense.`;
  switch (action) {
    case 'BOOK_TO_SUSPENSE':
      return [toSuspense, 'The books then agree with the other side; the question stays open.'];
    case 'CREDIT_USER':
      return [
        toSuspense,
        `Posts ${size} on from suspense to ${userId === '' ? 'the user you name' : userId}.`,
        'The user can spend it at once, and balance.credited is sent.',
      ];
    case 'WRITE_OFF':
      return [`Posts ${size} against provider fees: ${isLess ? 'a loss' : 'a gain'} of the house.`];
    case 'APPLY_AGAIN':
      return [
        'Posts nothing by itself: the record is looked up once more.',
        'What is found then is applied as always.',
      ];
    case 'ACCEPT':
      return ['Posts nothing. It is not shown again while it stays the same.'];
  }
}
