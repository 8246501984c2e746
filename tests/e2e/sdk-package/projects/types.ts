//! Code that must compile, and code that must not, in a project that installed the package.
import {
  type EventHandlers,
  type EventOf,
  exhaustive,
  Holdfast,
  type HoldfastEvent,
  isHoldfastError,
  type Order,
  type OrderId,
  type Result,
  unknownEvent,
} from '@holdfast/sdk';
import { Members } from '@holdfast/sdk/members';
import { type Money, money } from '@holdfast/sdk/money';
import { type exampleEvent, World } from '@holdfast/sdk/testing';
import { fetchWebhook, verifyWebhook } from '@holdfast/sdk/webhooks';

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(isSo: Equal<A, B>) => isSo;

const holdfast = new Holdfast();

export async function calls(): Promise<void> {
  const order = await holdfast.orders.get('ord_1');
  same<typeof order, Order>(true);
  same<typeof order.id, OrderId>(true);
  same<typeof order.amount, string>(true);
  await holdfast.orders.create({
    buyerId: 'usr_1',
    sellerId: 'usr_2',
    amount: money('1.00', 'USD'),
    title: 'A table',
    description: undefined,
  });
  // @ts-expect-error a number is no amount
  await holdfast.orders.create({ buyerId: 'usr_1', sellerId: 'usr_2', amount: 1, title: 'x' });
  await holdfast.topups.create({ userId: 'usr_1', amount: '1' }, { idempotencyKey: 'cart' });
  // @ts-expect-error a release honours no key
  await holdfast.orders.release('ord_1', {}, { idempotencyKey: 'cart' });
  // @ts-expect-error a refund needs a reason
  await holdfast.orders.refund('ord_1');
  // @ts-expect-error no such status
  holdfast.orders.list({ status: 'CLOSD' });
  // @ts-expect-error no such state to wait for
  await holdfast.orders.waitFor('ord_1', 'OPEN');
  // @ts-expect-error no such property
  await holdfast.users.create({ externalUserId: 'a', emial: 'a@example.com' });
  const { items } = await holdfast.orders.list({ limit: 1 });
  same<typeof items, readonly Order[]>(true);
  await decisions();
  for await (const one of holdfast.withdrawals.list({ status: 'WITHDRAWAL_PENDING' })) {
    same<typeof one.destination.type, 'payment_account' | 'crypto' | 'bank'>(true);
  }
}

async function decisions(): Promise<void> {
  const { disputes } = holdfast;
  await disputes.resolve('dsp_1', { decision: 'FULL_RELEASE', note: 'Delivered.' });
  const split = { decision: 'SPLIT', releaseAmount: '70.00', refundAmount: '30.00' } as const;
  await disputes.resolve('dsp_1', split);
  await disputes.previewResolution('dsp_1', split);
  // @ts-expect-error a split needs both amounts
  await disputes.resolve('dsp_1', { decision: 'SPLIT' });
  // @ts-expect-error a split needs both amounts
  await disputes.resolve('dsp_1', { decision: 'SPLIT', releaseAmount: '70.00' });
  // @ts-expect-error a full release refunds nothing
  await disputes.resolve('dsp_1', { decision: 'FULL_RELEASE', refundAmount: '30.00' });
  // @ts-expect-error a preview takes the same cases
  await disputes.previewResolution('dsp_1', { decision: 'SPLIT' });
}

export async function errors(): Promise<string> {
  const result: Result<Order> = await holdfast.orders.release('ord_1').result();
  if (result.ok) return result.data.status;
  // @ts-expect-error there is no data in a failure
  void result.data;
  const { error } = result;
  switch (error.code) {
    case 'INVALID_STATE':
      same<typeof error.details.state, string>(true);
      // @ts-expect-error of another code
      void error.details.operationId;
      return error.details.state;
    case 'PROVIDER_TIMEOUT':
      return error.details.operationId ?? 'unknown';
    case 'CONNECTION_FAILED':
      return error.details.reason;
    // @ts-expect-error no such code
    case 'INVALID_STAT':
      return '';
    default:
      return error.code;
  }
}

export function thrown(error: unknown): string {
  if (isHoldfastError(error, 'INSUFFICIENT_FUNDS', 'AMOUNT_OUT_OF_RANGE')) {
    return error.details.requested;
  }
  // @ts-expect-error no such code
  isHoldfastError(error, 'NO_FUNDS');
  return isHoldfastError(error) ? (error.requestId ?? '') : '';
}

export function narrows(event: HoldfastEvent): string {
  switch (event.eventType) {
    case 'order.released':
      same<typeof event, EventOf<'order.released'>>(true);
      same<typeof event.aggregateType, 'Order'>(true);
      // @ts-expect-error of another event
      void event.payload.decision;
      return event.payload.newSellerBalance;
    case 'dispute.resolved':
      return event.payload.decision;
    // @ts-expect-error a misspelt type
    case 'order.relased':
      return '';
    default:
      return event.eventId;
  }
}

export function leavesOneOut(event: HoldfastEvent): void {
  switch (event.eventType) {
    case 'order.released':
      return;
    default:
      // @ts-expect-error most types that are known have no case
      unknownEvent(event);
  }
}

export const handlers: EventHandlers = {
  'order.released': async (event) => void event.payload.newSellerBalance,
  'topup.succeeded': ({ payload }, { cursor }) => `${payload.amount} ${cursor}`,
  other: (event) => event.eventType,
};

export const misspelt: EventHandlers = {
  // @ts-expect-error a misspelt type
  'order.relased': () => undefined,
};

// @ts-expect-error most types are missing
exhaustive({ 'order.released': () => undefined, other: () => undefined });

export async function receiveEvents(request: Request, secret: string): Promise<Response> {
  const take = holdfast.events.handler(handlers);
  await holdfast.events.consume(take, { from: 'beginning' });
  // @ts-expect-error a misspelt type
  holdfast.events.stream({ types: ['order.relased'] });
  const event = await verifyWebhook(await request.text(), request.headers, secret);
  await take(event);
  return fetchWebhook(take, { secret })(request);
}

export async function others(): Promise<Money[]> {
  // @ts-expect-error a number is no amount
  money(100, 'USD');
  // @ts-expect-error no such currency
  money('100', 'EUR');
  const { token } = await new Members().logIn({ email: 'a@example.com', password: 'x' });
  await new Members({ token }).listBalances();
  // @ts-expect-error no such place
  await new World().fault('escrow.relase', 'slow');
  same<ReturnType<typeof exampleEvent<'order.closed'>>['eventType'], 'order.closed'>(true);
  return money('100.00', 'USD').allocate([95, 5]);
}
