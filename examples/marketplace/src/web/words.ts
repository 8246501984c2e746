//! Texts for amounts, times and states.
import type { Dispute } from '../store/disputes.ts';
import type { Payment } from '../store/payments.ts';
import type { Purchase } from '../store/purchases.ts';
import { type Html, html } from './html.ts';

const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** The decimal text itself is formatted: no amount ever becomes a floating-point number. */
export function dollars(amount: string): string {
  return DOLLARS.format(amount as Intl.StringNumericLiteral).replace('-', '−');
}

export function time(instant: string): Html {
  return html`<time datetime="${instant}">${TIME.format(new Date(instant))}</time>`;
}

export interface Badge {
  readonly words: string;
  readonly tone: 'calm' | 'busy' | 'good' | 'bad';
}

export function purchaseBadge(purchase: Purchase): Badge {
  if (purchase.trouble === 'CHECKING') return { words: 'Checking the payment', tone: 'busy' };
  if (purchase.trouble === 'REFUSED') return { words: 'Action required', tone: 'bad' };
  switch (purchase.status) {
    case 'STARTING':
    case 'ORDER_CREATED':
      return { words: 'Placing the order', tone: 'busy' };
    case 'FUNDS_RESERVED':
    case 'ESCROW_CREATING':
      return { words: 'Opening the escrow', tone: 'busy' };
    case 'ESCROW_FUNDING':
      return { words: 'Paying into escrow', tone: 'busy' };
    case 'IN_PROGRESS':
      return purchase.deliveredAt === null
        ? { words: 'In progress', tone: 'calm' }
        : { words: 'Delivered', tone: 'calm' };
    case 'RELEASE_REQUESTED':
      return { words: 'Paying the seller', tone: 'busy' };
    case 'REFUND_REQUESTED':
      return { words: 'Refunding the buyer', tone: 'busy' };
    case 'DISPUTED':
      return { words: 'In dispute', tone: 'bad' };
    case 'RELEASED':
    case 'REFUNDED':
    case 'CLOSED':
      return endBadge(purchase);
  }
}

function endBadge({ closeReason, status }: Purchase): Badge {
  if (closeReason === 'SPLIT') return { words: 'Split by support', tone: 'good' };
  if (closeReason === 'CANCELED') return { words: 'Canceled', tone: 'calm' };
  if (closeReason === 'REFUNDED' || status === 'REFUNDED')
    return { words: 'Refunded', tone: 'good' };
  return { words: 'Paid to the seller', tone: 'good' };
}

export function paymentBadge({ status }: Payment): Badge {
  switch (status) {
    case 'TOPUP_CREATED':
      return { words: 'Contacting the payment provider', tone: 'busy' };
    case 'TOPUP_AWAITING_USER_CONFIRMATION':
      return { words: 'Waiting for you to pay', tone: 'calm' };
    case 'TOPUP_PROCESSING':
      return { words: 'Processing', tone: 'busy' };
    case 'TOPUP_SUCCEEDED':
      return { words: 'Received', tone: 'good' };
    case 'WITHDRAWAL_CREATED':
      return { words: 'Not sent yet', tone: 'calm' };
    case 'WITHDRAWAL_COMMITTED':
    case 'WITHDRAWAL_PENDING':
      return { words: 'On its way', tone: 'busy' };
    case 'WITHDRAWAL_PENDING_USER_ACTION':
      return { words: 'Action required in your payment account', tone: 'calm' };
    case 'WITHDRAWAL_COMPLETED':
      return { words: 'Paid out', tone: 'good' };
    case 'TOPUP_FAILED':
    case 'WITHDRAWAL_FAILED':
      return { words: 'Failed', tone: 'bad' };
    case 'TOPUP_CANCELED':
    case 'WITHDRAWAL_CANCELED':
      return { words: 'Canceled', tone: 'calm' };
  }
}

export const DISPUTE_REASONS: Readonly<Record<Dispute['reason'], string>> = {
  NOT_DELIVERED: 'It has not arrived',
  QUALITY_ISSUE: 'It is not as described',
  OTHER: 'Something else',
};

/** The text for a line of a statement; an unlisted kind is shown by its name. */
const LINES: Readonly<Record<string, string>> = {
  credit: 'Credit',
  topup: 'Top-up',
  order_hold: 'Reserved',
  order_hold_return: 'Reservation released',
  escrow_fund: 'Paid into escrow',
  escrow_unfund: 'Escrow payment reversed',
  order_release: 'Sale',
  order_refund: 'Refunded',
  withdrawal_hold: 'Reserved for a withdrawal',
  withdrawal_hold_return: 'Withdrawal not paid out',
  withdrawal_payout: 'Withdrawal paid out',
};

export function lineWords(kind: string): string {
  return LINES[kind] ?? kind.replaceAll('_', ' ');
}

export function badge({ words, tone }: Badge): Html {
  return html`<span class="badge ${tone}">${words}</span>`;
}
