//! The list of a person's orders or sales.
import type { Shop } from '../shop.ts';
import { findItem } from '../store/items.ts';
import { findPerson, type Person } from '../store/people.ts';
import type { Purchase } from '../store/purchases.ts';
import { type Html, html } from './html.ts';
import { badge, dollars, purchaseBadge, time } from './words.ts';

export function ordersPage(shop: Shop, person: Person, purchases: readonly Purchase[]): Html {
  const isSeller = person.role === 'seller';
  return html`
<h1>${isSeller ? 'My sales' : 'My orders'}</h1>
<div id="orders" data-live="Your orders">
${
  purchases.length === 0
    ? html`<p class="card empty">${
        isSeller
          ? 'No sales yet. New orders appear here automatically.'
          : html`No orders yet. <a href="/">Browse the shop.</a>`
      }</p>`
    : html`<ul class="rows">${purchases.map((purchase) => row(shop, person, purchase))}</ul>`
}
</div>`;
}

function row({ database }: Shop, person: Person, purchase: Purchase): Html {
  const item = findItem(database, purchase.itemId);
  const isBuyer = purchase.buyer === person.id;
  const other = findPerson(database, isBuyer ? purchase.seller : purchase.buyer)?.name;
  return html`
  <li><a class="card row" href="/orders/${purchase.id}">
    ${item && html`<img src="/assets/pictures/${item.picture}" alt="" width="80" height="60">`}
    <span class="about"><strong>${purchase.title}</strong>
      <span class="seller">${isBuyer ? 'from' : 'for'} ${other} · ${time(purchase.createdAt)}</span></span>
    <span class="end">${badge(purchaseBadge(purchase))}<span class="price">${dollars(purchase.amount)}</span></span>
  </a></li>`;
}
