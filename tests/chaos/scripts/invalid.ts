//! Calls out of turn: each is refused with the specification's error and changes nothing.
import { answerText } from '../../harness/api.ts';
import type { Asked } from '../client.ts';
import * as deeds from '../deeds.ts';
import { complain, create, type Life, look, text, walk } from '../life.ts';
import { amountText, type SeenOrder } from '../order.ts';
import { orderBody } from '../plan.ts';

const { assign, cancel, complete, createEscrow, dispute, fund, refund, release, reserve } = deeds;
const OUT_OF_TURN = '400 INVALID_STATE';
const NO_ORDER = 'ord_00000000000000000000000000';

type Variant = (life: Life, order: SeenOrder) => Promise<void>;

const VARIANTS: readonly Variant[] = [tooEarly, tooPoor, tooLate, atWork, underReview];

export async function invalid(life: Life): Promise<void> {
  const variant = life.plan.chance.oneOf(VARIANTS);
  await variant(life, await create(life));
}

/** Refused so, and the order stands where it stood. */
async function refused(life: Life, order: SeenOrder, as: string, asked: Asked): Promise<void> {
  const answer = await life.client.insist(asked);
  if (answerText(answer) !== as)
    complain(life, `${asked.deed} at ${text(order)} was answered ${answerText(answer)}, not ${as}`);
  const after = await look(life, order.id);
  if (text(after) !== text(order))
    complain(
      life,
      `${order.id} was ${text(order)}; a refused ${asked.deed} left it ${text(after)}`,
    );
}

async function allRefused(life: Life, order: SeenOrder, ...asked: Asked[]): Promise<void> {
  for (const each of asked) await refused(life, order, OUT_OF_TURN, each);
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
  const reused = { deed: 'create', path: '/orders', body: { ...body, title: 'Another table' } };
  await refused(life, order, '409 CLIENT_ORDER_REF_REUSED', reused);
  const another = {
    ...{ ...body, amount: costly, milestones: [] },
    clientOrderRef: `${body.clientOrderRef}-costly`,
  };
  const { data } = await life.client.insist({ deed: 'create', path: '/orders', body: another });
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
  const begun = await walk(life, order, deeds.road({ atWork: () => 'end' }));
  await allRefused(life, begun, reserve(begun), createEscrow(begun), fund(begun), cancel(begun));
  if (begun.milestones.length > 0) await allRefused(life, begun, release(begun));
  const wrongBody = '400 VALIDATION_ERROR';
  await refused(life, begun, wrongBody, { ...refund(begun), body: { reason: '' } });
  await refused(life, begun, wrongBody, { ...dispute(begun), body: { openedBy: 'BUYER' } });
  await refused(life, begun, '404 MILESTONE_NOT_FOUND', complete(begun, 'm99'));
}

async function underReview(life: Life, order: SeenOrder): Promise<void> {
  const next = deeds.road({ atWork: dispute, disputed: () => 'end' });
  const disputed = await walk(life, order, next);
  const decision = { decision: 'FULL_REFUND' };
  await allRefused(life, disputed, dispute(disputed), release(disputed), refund(disputed));
  await allRefused(life, disputed, keyless(deeds.resolve(disputed, decision)));
  const reviewed = await walk(life, disputed, (seen) =>
    seen.dispute?.status === 'OPEN' ? assign(seen) : 'end',
  );
  await allRefused(life, reviewed, keyless(assign(reviewed)));
  const short = { decision: 'SPLIT', releaseAmount: '1.00', refundAmount: '1.00' };
  await refused(life, reviewed, '422 INVALID_AMOUNT', keyless(deeds.resolve(reviewed, short)));
  const ended = await walk(
    life,
    reviewed,
    deeds.road({ atWork: dispute, disputed: deeds.decide(decision) }),
  );
  await allRefused(life, ended, keyless(deeds.resolve(ended, decision)));
}

function keyless({ deed, path, body = {} }: Asked): Asked {
  return { deed, path, body };
}
