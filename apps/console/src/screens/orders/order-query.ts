//! The filters of the address as the query of the list; what the service would refuse is left out.
import type { ListOrdersQuery, OrderStatus } from '@holdfast/sdk';
import type { UrlState } from '#app/url-state.ts';
import { centsOf, textOf } from '#parts/cents.ts';
import { ORDER_STATES } from '#screens/orders/order-states.ts';

const USER_ID = /^usr_[0-9a-z]{27}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function orderQuery(state: UrlState): ListOrdersQuery {
  const { status, clientOrderRef, buyerId, sellerId, amountFrom, amountTo } = state;
  return {
    ...(isStatus(status) && { status }),
    ...(clientOrderRef && { clientOrderRef }),
    ...(buyerId && USER_ID.test(buyerId) && { buyerId }),
    ...(sellerId && USER_ID.test(sellerId) && { sellerId }),
    ...amount('amountFrom', amountFrom),
    ...amount('amountTo', amountTo),
    ...day('createdAfter', state['createdAfter']),
    ...day('createdBefore', state['createdBefore']),
  };
}

function isStatus(text: string | undefined): text is OrderStatus {
  return (ORDER_STATES as readonly (string | undefined)[]).includes(text);
}

function amount<N extends string>(name: N, text: string | undefined) {
  const cents = centsOf(text ?? '');
  if (cents === undefined || cents <= 0n) return {};
  return { [name]: textOf(cents) } as Record<N, string>;
}

function day<N extends string>(name: N, text: string | undefined) {
  if (text === undefined || !DAY.test(text)) return {};
  return { [name]: `${text}T00:00:00.000Z` } as Record<N, string>;
}
