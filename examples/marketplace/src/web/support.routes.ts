//! Support's pages: list disputes, take one, decide it.
import type { FastifyInstance } from 'fastify';
import { decideDispute, takeDispute } from '../money/dispute.ts';
import { notFound, Refusal } from '../refusal.ts';
import type { Shop } from '../shop.ts';
import { type Dispute, findDispute, listDisputes } from '../store/disputes.ts';
import { findPerson, type Person } from '../store/people.ts';
import { findPurchase } from '../store/purchases.ts';
import { amountIn, formId, idIn, wordsIn } from './form.ts';
import { type Html, html } from './html.ts';
import { page, sendPage } from './layout.ts';
import { requirePerson } from './session.ts';
import { badge, DISPUTE_REASONS, dollars } from './words.ts';

export function serveSupport(app: FastifyInstance, shop: Shop): void {
  app.get('/support', (request, reply) => {
    const person = requirePerson(shop, request);
    if (person.role !== 'support') throw new Refusal(403, 'Only support can open this page.');
    const body = desk(shop, person, listDisputes(shop.database));
    return sendPage(reply, page(shop, person, { title: 'Disputes', active: 'support', body }));
  });
  app.post<{ Params: { id: string } }>('/support/:id/take', async (request, reply) => {
    const dispute = findDispute(shop.database, request.params.id) ?? notFound();
    await takeDispute(shop, requirePerson(shop, request), dispute);
    return reply.redirect('/support', 303);
  });
  app.post<{ Params: { id: string } }>('/support/:id/decide', async (request, reply) => {
    const dispute = findDispute(shop.database, request.params.id) ?? notFound();
    await decideDispute(shop, requirePerson(shop, request), dispute, {
      toSeller: amountIn(request, 'toSeller'),
      note: wordsIn(request, 'note'),
      form: idIn(request),
    });
    return reply.redirect('/support', 303);
  });
}

function desk(shop: Shop, person: Person, disputes: readonly Dispute[]): Html {
  return html`
<h1>Disputes</h1>
<div id="desk" data-live="Disputes">${
    disputes.length === 0
      ? html`<p class="card empty">No open disputes. New disputes appear here automatically.</p>`
      : disputes.map((dispute) => card(shop, person, dispute))
  }</div>
<script src="/assets/split.js" type="module"></script>`;
}

function card(shop: Shop, person: Person, dispute: Dispute): Html | undefined {
  const purchase = findPurchase(shop.database, dispute.purchase);
  if (purchase === undefined) return undefined;
  const buyer = findPerson(shop.database, purchase.buyer)?.name ?? '';
  const seller = findPerson(shop.database, purchase.seller)?.name ?? '';
  const isChecking = purchase.trouble === 'CHECKING';
  return html`
<article class="card case">
  <header><h2><a href="/orders/${purchase.id}">${purchase.title}</a></h2>
    ${badge(stateOf(dispute, person, isChecking))}</header>
  <p class="seller">${buyer} bought from ${seller} for ${dollars(purchase.amount)}</p>
  <blockquote><strong>${DISPUTE_REASONS[dispute.reason]}.</strong> ${dispute.words}</blockquote>
  ${isChecking ? html`<p class="note">We are checking whether the decision was carried out.</p>` : next(dispute, purchase.amount, { buyer, seller })}
</article>`;
}

function stateOf({ status, takenBy }: Dispute, person: Person, isChecking: boolean) {
  if (isChecking) return { words: 'Checking the decision', tone: 'busy' } as const;
  if (status === 'RESOLVED') return { words: 'Resolved', tone: 'good' } as const;
  if (status === 'UNDER_REVIEW') {
    const words = takenBy === person.name ? 'Assigned to you' : 'Under review';
    return { words, tone: 'calm' } as const;
  }
  return { words: 'Open', tone: 'bad' } as const;
}

function next(
  { id, status, sellerAmount, buyerAmount, note }: Dispute,
  amount: string,
  { buyer, seller }: { readonly buyer: string; readonly seller: string },
): Html {
  if (status === 'RESOLVED') {
    return html`<dl class="facts">
      <div><dt>To ${seller}, before the fee</dt><dd>${dollars(sellerAmount ?? '0.00')}</dd></div>
      <div><dt>Back to ${buyer}</dt><dd>${dollars(buyerAmount ?? '0.00')}</dd></div></dl>
      ${note && html`<p class="note">“${note}”</p>`}`;
  }
  if (status === 'OPEN') {
    return html`<form method="post" action="/support/${id}/take"><button class="button">Assign to me</button></form>`;
  }
  return html`
<form method="post" action="/support/${id}/decide" class="fields" data-split="${amount}">
  ${formId()}
  <label for="part-${id}">Amount for ${seller}, of ${dollars(amount)}</label>
  <input id="part-${id}" name="toSeller" inputmode="decimal" pattern="\\d{1,9}(\\.\\d{1,2})?"
    autocomplete="off" value="${amount}" required>
  <p class="note">The rest goes back to ${buyer}: <output for="part-${id}">$0.00</output></p>
  <label for="note-${id}">Reason (visible to buyer and seller)</label>
  <textarea id="note-${id}" name="note" rows="2" maxlength="500" required></textarea>
  <button class="button" data-busy="Resolving…">Resolve dispute</button>
</form>`;
}
