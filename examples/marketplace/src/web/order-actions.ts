//! What can be done with an order now, by the person who looks at it.
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
    ? html`<section class="card"><h2>Is it as you wished?</h2>
        <form method="post" action="${action}/approve">
          <button class="button wide" data-busy="Paying…">Approve and pay ${dollars(purchase.amount)}</button>
        </form></section>`
    : html`<p class="box calm">You can approve as soon as it is delivered.</p>`
}
<details class="card"><summary>Something is wrong</summary>
  <form method="post" action="${action}/dispute" class="fields">
    <label for="reason">What is it?</label>
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
          <button class="button wide">I have sent it</button></form>`
      : next &&
        html`<form method="post" action="${action}/milestones/${next.ref}">
          <button class="button wide">“${next.title}” is finished</button></form>`;
  return html`
${
  isDelivered(shop, purchase)
    ? html`<p class="box calm">Delivered. You are paid as soon as the buyer approves.</p>`
    : html`<section class="card"><h2>Your turn</h2>
        <p>The money is safe in escrow. Send it when it is ready.</p>${deliver}</section>`
}
<details class="card"><summary>I can’t deliver this</summary>
  <form method="post" action="${action}/give-back" class="fields">
    <p>The buyer gets everything back, and there is no fee.</p>
    <button class="button danger" data-busy="Paying back…">Give the money back</button>
  </form>
</details>`;
}
