//! The posting of each way to resolve an exception, in words, before it is executed.
import type { ExceptionAction, ExceptionCause, ReconciliationException } from '@holdfast/sdk';

interface ActionWords {
  readonly label: string;
  /** What the action did, once it is done. */
  readonly done: string;
  readonly posts: boolean;
}

export const ACTION_WORDS: Readonly<Record<ExceptionAction, ActionWords>> = {
  BOOK_TO_SUSPENSE: { label: 'Post to suspense', done: 'Posted to suspense', posts: true },
  CREDIT_USER: { label: 'Credit user', done: 'User credited', posts: true },
  CHARGE_USER: { label: 'Charge user', done: 'User charged', posts: true },
  WRITE_OFF: { label: 'Write off', done: 'Written off', posts: true },
  APPLY_AGAIN: { label: 'Check again', done: 'Check started', posts: false },
  ACCEPT: { label: 'Accept difference', done: 'Difference accepted', posts: false },
};

// biome-ignore format: a table is the one thing exempt from the line limit.
export const CAUSE_WORDS: Readonly<Record<ExceptionCause, string>> = {
  PROVIDER_BALANCE_CHANGED: 'The balance at the payment provider changed without a matching record.',
  PAYIN_MISSING_HERE: 'The provider has a pay-in without a matching top-up.',
  PAYIN_MISSING_THERE: 'A credited top-up has no pay-in at the provider.',
  PAYOUT_MISSING_HERE: 'The provider has a payout without a matching withdrawal.',
  PAYOUT_MISSING_THERE: 'A paid withdrawal has no payout at the provider.',
  PAYOUT_DOUBLED: 'The provider has a second payout for the same withdrawal.',
  MONEY_UNCONFIRMED: 'The user has this money by a notification alone. The record of the provider has not confirmed it, so it cannot be used.',
  AMOUNT_MISMATCH: 'Holdfast and the provider have different amounts.',
  STATUS_MISMATCH: 'Holdfast and the provider have different statuses.',
  LEDGER_PAYMENT_UNBOOKED: "A payment to a user's address was not credited.",
  ADDRESS_DIFFERENCE: 'The balance of an address differs from the books.',
  CONTRACT_DIFFERENCE: "The balance of a contract differs from the order's escrow.",
  TREASURY_DIFFERENCE: 'The combined balance of the treasury and the fee address differs from the books plus recorded capital.',
  DUST: "Less than one cent at an address. The amount belongs to the user.",
};

type Differing = Pick<ReconciliationException, 'cause' | 'amount' | 'currency'>;

/** Lines for the dialog. A negative amount means that the other side has less than our books. */
export function effectOf(
  action: ExceptionAction,
  { cause, amount, currency }: Differing,
  userId: string,
): readonly string[] {
  const isLess = amount.startsWith('-');
  const size = `${isLess ? amount.slice(1) : amount} ${currency}`;
  if (cause === 'MONEY_UNCONFIRMED' && ACTION_WORDS[action].posts)
    return action === 'CHARGE_USER'
      ? [`Takes ${size} back from ${userId === '' ? 'the selected user' : userId}.`]
      : [
          `The user keeps ${size} and can use it.`,
          `Posts ${size} to the provider fees account as a loss.`,
        ];
  const toSuspense = isLess
    ? `Posts ${size} out of suspense to the clearing account.`
    : `Posts ${size} from the clearing account into suspense.`;
  switch (action) {
    case 'BOOK_TO_SUSPENSE':
      return [
        toSuspense,
        'The books then match the provider. The amount stays in suspense until its owner is known.',
      ];
    case 'CREDIT_USER':
      return [
        toSuspense,
        `Posts ${size} from suspense to ${userId === '' ? 'the selected user' : userId}.`,
        'The user can spend the amount immediately. The marketplace receives a balance.credited event.',
      ];
    case 'CHARGE_USER':
      return [
        toSuspense,
        `Takes ${size} from ${userId === '' ? 'the selected user' : userId} into suspense.`,
        'What the user no longer has becomes a debt, which is repaid first from later payments.',
      ];
    case 'WRITE_OFF':
      return [`Posts ${size} to the provider fees account as ${isLess ? 'a loss' : 'a gain'}.`];
    case 'APPLY_AGAIN':
      return [
        'Checks the record with the provider again.',
        'If the provider’s record has changed, the change is applied. This can change the user’s balance.',
      ];
    case 'ACCEPT':
      return [
        'Posts nothing. The exception is resolved, and the same difference is not reported again unless its amount changes.',
      ];
  }
}
