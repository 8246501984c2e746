//! The page of one order: progress, actions, where the money is, timeline.
import { money } from '@holdfast/sdk/money';
import { isDelivered } from '../money/approve.ts';
import type { Shop } from '../shop.ts';
import { disputeOf } from '../store/disputes.ts';
import { findItem } from '../store/items.ts';
import { notificationsOf } from '../store/notifications.ts';
import { findPerson, type Person } from '../store/people.ts';
import { isBeforeEscrow, milestonesOf, type Purchase } from '../store/purchases.ts';
import { type Html, html } from './html.ts';
import { orderActions } from './order-actions.ts';
import { badge, DISPUTE_REASONS, dollars, purchaseBadge, time } from './words.ts';

export function orderPage(shop: Shop, person: Person, purchase: Purchase): Html {
  const { database } = shop;
  const item = findItem(database, purchase.itemId);
  const buyer = findPerson(database, purchase.buyer)?.name ?? '';
  const seller = findPerson(database, purchase.seller)?.name ?? '';
  return html`
<div class="order">
  <header class="orderhead">
    ${item && html`<img src="/assets/pictures/${item.picture}" alt="" width="120" height="90">`}
    <div>
      <h1>${purchase.title}</h1>
      <p class="seller">${buyer} buys from ${seller} · ${time(purchase.createdAt)}</p>
      <p id="badge" data-live="Order status">${badge(purchaseBadge(purchase))}</p>
    </div>
  </header>
  <div class="columns">
    <div>
      <div id="now" data-live="Next step">
        ${progress(shop, purchase)}
        ${trouble(purchase)}
        ${milestones(shop, purchase)}
        ${dispute(shop, purchase)}
        ${orderActions(shop, person, purchase)}
      </div>
    </div>
    <div>
      <section class="card" id="sums" data-live="Payment">
        <h2>Payment</h2>
        ${sums(shop, purchase, seller)}
      </section>
      <section class="card" id="timeline" data-live="Timeline">
        <h2>Timeline</h2>
        <ol class="timeline">${notificationsOf(database, purchase.id)
          .toReversed()
          .map(({ words, at }) => html`<li><span>${words}</span> ${time(at)}</li>`)}</ol>
      </section>
    </div>
  </div>
</div>`;
}

type Step = readonly [label: string, state: 'done' | 'now' | 'todo'];

function progress(shop: Shop, purchase: Purchase): Html | false {
  const { status, closeReason } = purchase;
  if (closeReason === 'CANCELED') return false;
  const isPaid = !isBeforeEscrow(purchase);
  const isClosed = ['CLOSED', 'RELEASED', 'REFUNDED'].includes(status);
  const isSent = isPaid && isDelivered(shop, purchase);
  const isOdd = status === 'DISPUTED' || status === 'REFUND_REQUESTED';
  const end =
    closeReason === 'REFUNDED' || status === 'REFUND_REQUESTED'
      ? 'Refund'
      : closeReason === 'SPLIT' || status === 'DISPUTED'
        ? 'Decision'
        : 'Approval';
  const wasNeverSent = (isClosed || isOdd) && !isSent;
  const delivery: Step = ['Delivery', isSent ? 'done' : isPaid ? 'now' : 'todo'];
  const steps: readonly Step[] = [
    ['Escrow', isPaid ? 'done' : 'now'],
    ...(wasNeverSent ? [] : [delivery]),
    [end, isClosed ? 'done' : isSent || isOdd ? 'now' : 'todo'],
  ];
  const words = { done: 'done', now: 'in progress', todo: 'not started' };
  return html`
<ol class="steps" aria-label="Progress">${steps.map(
    ([label, state]) =>
      html`<li class="${state}"><span>${label}</span><span class="hidden"> (${words[state]})</span></li>`,
  )}</ol>`;
}

/** Honest about what is not known: no "failed" before it has failed, no button to pay again. */
function trouble(purchase: Purchase): Html | undefined {
  if (purchase.trouble === 'CHECKING') {
    return html`<div class="box busy"><strong>We are checking the payment.</strong>
      <p>The payment provider has not confirmed yet. No money is lost and nothing is charged twice.
      This page updates automatically; you don’t have to do anything.</p></div>`;
  }
  if (purchase.trouble === 'REFUSED') {
    return html`<div class="box bad"><strong>The transfer was declined.</strong>
      <p>${
        isBeforeEscrow(purchase)
          ? 'The escrow was not funded. The money is still in the buyer’s balance.'
          : 'No money has moved: it is still in escrow. You can try again.'
      }</p></div>`;
  }
  return undefined;
}

function milestones({ database }: Shop, purchase: Purchase): Html | undefined {
  const all = milestonesOf(database, purchase.id);
  if (all.length === 0) return undefined;
  return html`
<section class="card"><h2>Milestones</h2>
  <ul class="parts">${all.map(
    ({ title, amount, completedAt }) => html`
    <li class="${completedAt === null ? 'todo' : 'done'}"><span>${title}</span>
      <span>${completedAt === null ? 'not started' : 'finished'} · ${dollars(amount)}</span></li>`,
  )}</ul>
</section>`;
}

function dispute({ database }: Shop, purchase: Purchase): Html | undefined {
  const found = disputeOf(database, purchase.id);
  if (found === undefined) return undefined;
  const { status, reason, words, takenBy, sellerAmount, buyerAmount, note } = found;
  return html`
<section class="card"><h2>Dispute</h2>
  <p><strong>${DISPUTE_REASONS[reason]}.</strong> ${words}</p>
  ${
    status === 'RESOLVED'
      ? html`<dl class="facts">
          <div><dt>To the seller, before the fee</dt><dd>${dollars(sellerAmount ?? '0.00')}</dd></div>
          <div><dt>Back to the buyer</dt><dd>${dollars(buyerAmount ?? '0.00')}</dd></div>
        </dl>${note && html`<p class="note">“${note}”</p>`}`
      : html`<p class="note">${
          takenBy === null
            ? 'Support will review the dispute soon.'
            : `${takenBy} is reviewing the dispute.`
        } The money stays in escrow until the dispute is resolved.</p>`
  }
</section>`;
}

function sums({ database }: Shop, purchase: Purchase, seller: string): Html {
  const { amount, fee, closeReason } = purchase;
  const ended = disputeOf(database, purchase.id);
  const isPlain = closeReason === null || closeReason === 'RELEASED';
  const where = whereIs(purchase, seller);
  return html`
<dl class="facts">
  <div><dt>Price</dt><dd>${dollars(amount)}</dd></div>
  ${
    fee !== null &&
    isPlain &&
    ended === undefined &&
    html`<div><dt>Driftwood fee</dt><dd>${dollars(fee)}</dd></div>
    <div class="sum"><dt>${seller} receives</dt>
      <dd>${dollars(money(amount, 'USD').subtract(money(fee, 'USD')).toString())}</dd></div>`
  }
</dl>
<p class="where">${where}</p>`;
}

function whereIs(purchase: Purchase, seller: string): string {
  const { closeReason } = purchase;
  if (closeReason === 'RELEASED') return `Paid to ${seller}.`;
  if (closeReason === 'REFUNDED') return 'Refunded to the buyer in full.';
  if (closeReason === 'SPLIT') return 'Split between buyer and seller.';
  if (closeReason === 'CANCELED') return 'The buyer was not charged.';
  if (purchase.trouble === 'CHECKING') return 'We are checking where the money is.';
  if (isBeforeEscrow(purchase)) {
    return purchase.trouble === 'REFUSED'
      ? 'Still in the buyer’s balance.'
      : 'On its way into escrow.';
  }
  if (purchase.status === 'RELEASE_REQUESTED') return `On its way to ${seller}.`;
  if (purchase.status === 'REFUND_REQUESTED') return 'On its way back to the buyer.';
  return 'Held in escrow. Neither side can take it alone.';
}
