//! Requests in the wrong state: each is refused with the specified error and changes nothing.
import { responseText } from '../../../harness/api.ts';
import * as actions from '../actions.ts';
import type { ActionRequest } from '../client.ts';
import { complain, create, fetchOrder, type Life, text, walk } from '../life.ts';
import { amountText, type SeenOrder } from '../order.ts';
import { orderBody } from '../plan.ts';

const { assign, cancel, complete, createEscrow, dispute, fund, refund, release, reserve } = actions;
const INVALID_STATE = '400 INVALID_STATE';
const NO_ORDER = 'ord_00000000000000000000000000';

type Variant = (life: Life, order: SeenOrder) => Promise<void>;

const VARIANTS: readonly Variant[] = [tooEarly, tooPoor, tooLate, atWork, underReview];

export async function invalid(life: Life): Promise<void> {
  const variant = life.plan.random.oneOf(VARIANTS);
  await variant(life, await create(life));
}

/** The request is refused with this error, and the order is unchanged. */
async function refused(
  life: Life,
  order: SeenOrder,
  as: string,
  request: ActionRequest,
): Promise<void> {
  const response = await life.client.callWithRetry(request);
  if (responseText(response) !== as)
    complain(
      life,
      `${request.action} at ${text(order)} returned ${responseText(response)}, not ${as}`,
    );
  const after = await fetchOrder(life, order.id);
  if (text(after) !== text(order))
    complain(
      life,
      `${order.id} was ${text(order)}; a refused ${request.action} left it ${text(after)}`,
    );
}

async function allRefused(
  life: Life,
  order: SeenOrder,
  ...request: ActionRequest[]
): Promise<void> {
  for (const each of request) await refused(life, order, INVALID_STATE, each);
}

async function tooEarly(life: Life, order: SeenOrder): Promise<void> {
  await allRefused(life, order, createEscrow(order), fund(order), release(order), refund(order));
  await allRefused(life, order, dispute(order));
  const unknown = { ...order, id: NO_ORDER };
  await refused(life, order, '404 ORDER_NOT_FOUND', reserve(unknown));
  const reserved = await walk(life, order, (seen) =>
    seen.status === 'ORDER_CREATED' ? reserve(seen) : 'end',
  );
  await allRefused(life, reserved, reserve(reserved), fund(reserved), release(reserved));
}

async function tooPoor(life: Life, order: SeenOrder): Promise<void> {
  const body = orderBody(life.plan, life.seed) as { readonly clientOrderRef: string };
  const costly = amountText(99_999_900n);
  const reused = { action: 'create', path: '/orders', body: { ...body, title: 'Another table' } };
  await refused(life, order, '409 CLIENT_ORDER_REF_REUSED', reused);
  const another = {
    ...{ ...body, amount: costly, milestones: [] },
    clientOrderRef: `${body.clientOrderRef}-costly`,
  };
  const { data } = await life.client.callWithRetry({
    action: 'create',
    path: '/orders',
    body: another,
  });
  await refused(life, data as SeenOrder, '422 INSUFFICIENT_FUNDS', reserve(data as SeenOrder));
}

async function tooLate(life: Life, order: SeenOrder): Promise<void> {
  const ended = await walk(life, order, (seen) =>
    seen.status === 'CLOSED' ? 'end' : cancel(seen),
  );
  await allRefused(life, ended, cancel(ended), reserve(ended), createEscrow(ended), fund(ended));
  await allRefused(life, ended, release(ended), refund(ended), dispute(ended));
}

async function atWork(life: Life, order: SeenOrder): Promise<void> {
  const started = await walk(life, order, actions.road({ atWork: () => 'end' }));
  await allRefused(
    life,
    started,
    reserve(started),
    createEscrow(started),
    fund(started),
    cancel(started),
  );
  if (started.milestones.length > 0) await allRefused(life, started, release(started));
  const wrongBody = '400 VALIDATION_ERROR';
  await refused(life, started, wrongBody, { ...refund(started), body: { reason: '' } });
  await refused(life, started, wrongBody, { ...dispute(started), body: { openedBy: 'BUYER' } });
  await refused(life, started, '404 MILESTONE_NOT_FOUND', complete(started, 'm99'));
}

async function underReview(life: Life, order: SeenOrder): Promise<void> {
  const next = actions.road({ atWork: dispute, disputed: () => 'end' });
  const disputed = await walk(life, order, next);
  const decision = { decision: 'FULL_REFUND' };
  await allRefused(life, disputed, dispute(disputed), release(disputed), refund(disputed));
  await allRefused(life, disputed, keyless(actions.resolve(disputed, decision)));
  const reviewed = await walk(life, disputed, (seen) =>
    seen.dispute?.status === 'OPEN' ? assign(seen) : 'end',
  );
  await allRefused(life, reviewed, keyless(assign(reviewed)));
  const short = { decision: 'SPLIT', releaseAmount: '1.00', refundAmount: '1.00' };
  await refused(life, reviewed, '422 INVALID_AMOUNT', keyless(actions.resolve(reviewed, short)));
  const ended = await walk(
    life,
    reviewed,
    actions.road({ atWork: dispute, disputed: actions.decide(decision) }),
  );
  await allRefused(life, ended, keyless(actions.resolve(ended, decision)));
}

function keyless({ action, path, body = {} }: ActionRequest): ActionRequest {
  return { action, path, body };
}
