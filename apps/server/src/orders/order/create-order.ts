//! Creates an order between two users: POST /orders.
import { refuse } from '@holdfast/contract/errors';
import { assert } from '@holdfast/kernel/assert';
import type { OrderId, UserId } from '@holdfast/kernel/ids';
import { minorText } from '@holdfast/kernel/money';
import { openOrderAccounts } from '../../accounts/books/order-money.ts';
import type { Call } from '../../platform/call.ts';
import { emit } from '../../platform/database/outbox.ts';
import { type Transactor, type Tx, transact } from '../../platform/database/transact.ts';
import { audit } from '../../record/audit/audit-entry.ts';
import { insertMilestones } from '../model/milestone.ts';
import { findOrderRef, insertOrder, type OrderTerms } from '../model/order.ts';
import type { OrderRecord } from '../model/order-record.ts';
import { findParties } from '../model/parties.ts';
import {
  type OrderInput,
  orderRequestHash,
  type ParsedOrder,
  readOrderInput,
} from './order-input.ts';
import { getOrder } from './read-orders.ts';

/** The same reference and input return the same order; other input under it is refused. */
export async function createOrder(
  app: Transactor,
  call: Call,
  input: OrderInput,
): Promise<{ order: OrderRecord; isNew: boolean }> {
  const wanted = readOrderInput(input, app.clock.now());
  const created = await transact(app, call, (tx) => createOrderInTx(tx, wanted));
  return { order: await getOrder(app, call, created.id), isNew: created.isNew };
}

/** Inserted before any lookup: see `insertOrder`. A refusal rolls it back. */
export async function createOrderInTx(
  tx: Tx,
  wanted: ParsedOrder,
): Promise<{ readonly id: OrderId; readonly isNew: boolean }> {
  const { terms, milestones } = wanted;
  const { id, clientOrderRef } = terms;
  const requestHash = clientOrderRef === null ? null : orderRequestHash(wanted);
  if (!(await insertOrder(tx, terms, requestHash))) {
    assert(clientOrderRef !== null, 'only a reference can be taken');
    const existing = await findOrderRef(tx, clientOrderRef);
    assert(existing !== undefined, 'a conflict names an order of this marketplace');
    if (existing.requestHash !== requestHash)
      refuse('CLIENT_ORDER_REF_REUSED', { clientOrderRef, orderId: existing.id });
    return { id: existing.id, isNew: false };
  }
  await checkParties(tx, terms);
  if (milestones.length > 0) await insertMilestones(tx, id, milestones);
  await openOrderAccounts(tx, terms);
  await emit(tx, 'order.created', id, {
    orderId: id,
    ...agreed(terms),
    title: terms.title,
    ...(terms.description === null ? {} : { description: terms.description }),
    ...(clientOrderRef === null ? {} : { clientOrderRef }),
  });
  await audit(tx, {
    action: 'ORDER_CREATED',
    resourceId: id,
    after: {
      status: 'ORDER_CREATED',
      ...agreed(terms),
      fee: terms.fee.text,
      feeRate: minorText(terms.feeRate),
      clientOrderRef,
    },
  });
  return { id, isNew: true };
}

async function checkParties(tx: Tx, { buyerId, sellerId }: OrderTerms): Promise<void> {
  const parties = await findParties(tx, [buyerId, sellerId]);
  const statusOf = (userId: UserId) =>
    parties.get(userId)?.status ?? refuse('USER_NOT_FOUND', { userId });
  for (const userId of [buyerId, sellerId]) {
    const status = statusOf(userId);
    if (status !== 'ACTIVE') refuse('USER_NOT_ACTIVE', { userId, status });
  }
}

function agreed({ buyerId, sellerId, amount, currency }: OrderTerms) {
  return { buyerId, sellerId, amount: amount.text, currency };
}
