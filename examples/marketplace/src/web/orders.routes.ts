//! Routes of a person's orders, and the actions of buyer, seller and support.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { approve, giveBack } from '../money/approve.ts';
import { cancelCheckout, continueCheckout } from '../money/checkout.ts';
import { deliver, deliverMilestone } from '../money/deliver.ts';
import { openDispute } from '../money/dispute.ts';
import { notFound, Refusal } from '../refusal.ts';
import type { Shop } from '../shop.ts';
import type { Dispute } from '../store/disputes.ts';
import type { Person } from '../store/people.ts';
import { findPurchase, type Purchase, purchasesOf, setTrouble } from '../store/purchases.ts';
import { choiceIn, wordsIn } from './form.ts';
import { page, sendPage } from './layout.ts';
import { orderPage } from './order-page.ts';
import { ordersPage } from './orders-page.ts';
import { personOf, requirePerson } from './session.ts';
import { DISPUTE_REASONS } from './words.ts';

interface Own {
  readonly person: Person;
  readonly purchase: Purchase;
}

export function serveOrders(app: FastifyInstance, shop: Shop): void {
  app.get('/orders', (request, reply) => {
    const person = personOf(shop, request);
    if (person === undefined) return reply.redirect('/sign-in', 303);
    const body = ordersPage(shop, person, purchasesOf(shop.database, person));
    const title = person.role === 'seller' ? 'My sales' : 'My orders';
    return sendPage(reply, page(shop, person, { title, active: 'orders', body }));
  });
  app.get<{ Params: { id: string } }>('/orders/:id', (request, reply) => {
    const { person, purchase } = ownPurchase(shop, request);
    const body = orderPage(shop, person, purchase);
    return sendPage(reply, page(shop, person, { title: purchase.title, active: 'orders', body }));
  });
  for (const [action, act] of Object.entries(ACTIONS)) {
    app.post<{ Params: { id: string } }>(`/orders/:id/${action}`, async (request, reply) => {
      const { person, purchase } = ownPurchase(shop, request);
      await act(shop, person, purchase, request);
      return reply.redirect(`/orders/${purchase.id}`, 303);
    });
  }
  app.post<{ Params: { id: string; ref: string } }>(
    '/orders/:id/milestones/:ref',
    async (request, reply) => {
      const { person, purchase } = ownPurchase(shop, request);
      await deliverMilestone(shop, person, purchase, request.params.ref);
      return reply.redirect(`/orders/${purchase.id}`, 303);
    },
  );
}

/** A person sees only their own orders; support sees all, and each action checks again. */
function ownPurchase(
  shop: Shop,
  request: FastifyRequest<{ Params: { id: string; ref?: string } }>,
): Own {
  const person = requirePerson(shop, request);
  const purchase = findPurchase(shop.database, request.params.id) ?? notFound();
  const isTheirs = purchase.buyer === person.id || purchase.seller === person.id;
  if (!isTheirs && person.role !== 'support') notFound();
  return { person, purchase };
}

type Act = (
  shop: Shop,
  person: Person,
  purchase: Purchase,
  request: FastifyRequest,
) => Promise<void> | void;

/** The name is the last part of the address. */
const ACTIONS: Readonly<Record<string, Act>> = {
  deliver,
  approve,
  cancel: cancelCheckout,
  'give-back': giveBack,
  dispute: (shop, person, purchase, request) =>
    openDispute(shop, person, purchase, {
      reason: choiceIn(request, 'reason', Object.keys(DISPUTE_REASONS) as Dispute['reason'][]),
      words: wordsIn(request, 'words'),
    }),
  'try-again': async (shop, person, purchase) => {
    if (purchase.buyer !== person.id) throw new Refusal(403, 'Only the buyer can try again.');
    setTrouble(shop.database, purchase.id, null);
    await continueCheckout(shop, purchase.id);
  },
};
