//! The actions on an order that the viewing person may take now.
import { isDelivered } from '../money/approve.ts';
import type { Shop } from '../shop.ts';
import type { Person } from '../store/people.ts';
import { isBeforeEscrow, milestonesOf, type Purchase } from '../store/purchases.ts';
import { type Html, html } from './html.ts';
import { DISPUTE_REASONS, dollars } from './words.ts';

export function orderActions(shop: Shop, person: Person, purchase: Purchase): Html | undefined {
  // Nothing may be started while an outcome is not known.
  if (purchase.trouble === 'CHECKING') return undefined;
  if (purchase.buyer === person.id) return buyerActions(shop, purchase);
  if (purchase.seller === person.id) return sellerActions(shop, purchase);
  return undefined;
}

function buyerActions(shop: Shop, purchase: Purchase): Html | undefined {
  const action = `/orders/${purchase.id}`;
  if (purchase.trouble === 'REFUSED' && isBeforeEscrow(purchase)) {
    return html`
<div class="actions">
  <form method="post" action="${action}/try-again"><button class="button" data-busy="Trying…">Try again</button></form>
  ${purchase.orderId !== null && html`<form method="post" action="${action}/cancel"><button class="quiet">Cancel the order</button></form>`}
</div>`;
  }
  if (purchase.status !== 'IN_PROGRESS') return undefined;
  const canApprove = isDelivered(shop, purchase);
  return html`
${
  canApprove
    ? html`<section class="card"><h2>Is everything as described?</h2>
        <form method="post" action="${action}/approve">
          <button class="button wide" data-busy="Paying…">Approve and pay ${dollars(purchase.amount)}</button>
        </form></section>`
    : html`<p class="box calm">You can approve the order after it is delivered.</p>`
}
<details class="card"><summary>Report a problem</summary>
  <form method="post" action="${action}/dispute" class="fields">
    <label for="reason">Reason</label>
    <select id="reason" name="reason">${Object.entries(DISPUTE_REASONS).map(
      ([value, words]) => html`<option value="${value}">${words}</option>`,
    )}</select>
    <label for="words">In your own words</label>
    <textarea id="words" name="words" rows="3" maxlength="500" required></textarea>
    <button class="button danger">Open a dispute</button>
  </form>
</details>`;
}

function sellerActions(shop: Shop, purchase: Purchase): Html | undefined {
  if (purchase.status !== 'IN_PROGRESS') return undefined;
  const action = `/orders/${purchase.id}`;
  const milestones = milestonesOf(shop.database, purchase.id);
  const next = milestones.find(({ completedAt }) => completedAt === null);
  const deliver =
    milestones.length === 0
      ? html`<form method="post" action="${action}/deliver">
          <button class="button wide">Mark as sent</button></form>`
      : next &&
        html`<form method="post" action="${action}/milestones/${next.ref}">
          <button class="button wide">Mark “${next.title}” as finished</button></form>`;
  return html`
${
  isDelivered(shop, purchase)
    ? html`<p class="box calm">Delivered. You are paid as soon as the buyer approves.</p>`
    : html`<section class="card"><h2>Deliver the order</h2>
        <p>The money is in escrow. ${
          milestones.length === 0
            ? 'Send the item when it is ready.'
            : 'Mark each milestone as finished when it is done.'
        }</p>${deliver}</section>`
}
<details class="card"><summary>I can’t deliver this</summary>
  <form method="post" action="${action}/give-back" class="fields">
    <p>The buyer is refunded in full. No fee is charged.</p>
    <button class="button danger" data-busy="Refunding…">Refund buyer</button>
  </form>
</details>`;
}
