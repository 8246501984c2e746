//! One order: how far it is, what you can do now, where the money is, what has happened.
import { money } from '@holdfast/sdk/money';
import { isDelivered } from '../money/approve.ts';
import type { Shop } from '../shop.ts';
import { disputeOf } from '../store/disputes.ts';
import { findItem } from '../store/items.ts';
import { noticesOf } from '../store/notices.ts';
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
      <p class="maker">${buyer} buys from ${seller} · ${time(purchase.createdAt)}</p>
      <p id="badge" data-live="State of the order">${badge(purchaseBadge(purchase))}</p>
    </div>
  </header>
  <div class="columns">
    <div>
      <div id="now" data-live="What is next">
        ${progress(shop, purchase)}
        ${trouble(purchase)}
        ${milestones(shop, purchase)}
        ${dispute(shop, purchase)}
        ${orderActions(shop, person, purchase)}
      </div>
    </div>
    <div>
      <section class="card" id="sums" data-live="The money">
        <h2>The money</h2>
        ${sums(shop, purchase, seller)}
      </section>
      <section class="card" id="story" data-live="What has happened">
        <h2>What has happened</h2>
        <ol class="story">${noticesOf(database, purchase.id)
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
  const words = { done: 'done', now: 'in progress', todo: 'to come' };
  return html`
<ol class="steps" aria-label="Progress">${steps.map(
    ([label, state]) =>
      html`<li class="${state}"><span>${label}</span><span class="hidden"> (${words[state]})</span></li>`,
  )}</ol>`;
}

/** Honest about what is not known: no "failed" before it has failed, no button to pay again. */
function trouble(purchase: Purchase): Html | undefined {
  if (purchase.trouble === 'CHECKING') {
    return html`<div class="box busy"><strong>We are checking with the bank.</strong>
      <p>An answer got lost on the way. Nothing is lost and nothing happens twice: this page changes by
      itself as soon as we know. You don’t have to do anything.</p></div>`;
  }
  if (purchase.trouble === 'REFUSED') {
    return html`<div class="box bad"><strong>The bank said no.</strong>
      <p>${
        isBeforeEscrow(purchase)
          ? 'The money did not go into escrow. It is still the buyer’s.'
          : 'Nothing has moved: the money is in escrow as before. You can try again.'
      }</p></div>`;
  }
  return undefined;
}

function milestones({ database }: Shop, purchase: Purchase): Html | undefined {
  const all = milestonesOf(database, purchase.id);
  if (all.length === 0) return undefined;
  return html`
<section class="card"><h2>In parts</h2>
  <ul class="parts">${all.map(
    ({ title, amount, completedAt }) => html`
    <li class="${completedAt === null ? 'todo' : 'done'}"><span>${title}</span>
      <span>${completedAt === null ? 'to come' : 'finished'} · ${dollars(amount)}</span></li>`,
  )}</ul>
</section>`;
}

function dispute({ database }: Shop, purchase: Purchase): Html | undefined {
  const found = disputeOf(database, purchase.id);
  if (found === undefined) return undefined;
  const { status, reason, words, takenBy, sellerAmount, buyerAmount, note } = found;
  return html`
<section class="card"><h2>The dispute</h2>
  <p><strong>${DISPUTE_REASONS[reason]}.</strong> ${words}</p>
  ${
    status === 'RESOLVED'
      ? html`<dl class="facts">
          <div><dt>To the seller, before the fee</dt><dd>${dollars(sellerAmount ?? '0.00')}</dd></div>
          <div><dt>Back to the buyer</dt><dd>${dollars(buyerAmount ?? '0.00')}</dd></div>
        </dl>${note && html`<p class="note">“${note}”</p>`}`
      : html`<p class="note">${
          takenBy === null ? 'Support will look at it soon.' : `${takenBy} is looking at it.`
        } The money stays in escrow until it is decided.</p>`
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
    html`<div><dt>Fee of Driftwood</dt><dd>${dollars(fee)}</dd></div>
    <div class="sum"><dt>${seller} gets</dt>
      <dd>${dollars(money(amount, 'USD').subtract(money(fee, 'USD')).toString())}</dd></div>`
  }
</dl>
<p class="where">${where}</p>`;
}

function whereIs(purchase: Purchase, seller: string): string {
  const { closeReason } = purchase;
  if (closeReason === 'RELEASED') return `It is ${seller}’s now.`;
  if (closeReason === 'REFUNDED') return 'It went back to the buyer, whole.';
  if (closeReason === 'SPLIT') return 'Each has their part of it.';
  if (closeReason === 'CANCELED') return 'It never left the buyer.';
  if (purchase.trouble === 'CHECKING') return 'Where it is right now is what we are finding out.';
  if (isBeforeEscrow(purchase)) {
    return purchase.trouble === 'REFUSED'
      ? 'It never left the buyer’s balance.'
      : 'It is on its way into escrow.';
  }
  if (purchase.status === 'RELEASE_REQUESTED') return `It is on its way to ${seller}.`;
  if (purchase.status === 'REFUND_REQUESTED') return 'It is on its way back to the buyer.';
  return 'It waits in escrow. Neither side can take it alone.';
}
