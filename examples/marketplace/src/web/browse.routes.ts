//! Routes of the shelf and of one item, and the purchase of it.
import type { FastifyInstance } from 'fastify';
import { buy, continueCheckout } from '../money/checkout.ts';
import { notFound } from '../refusal.ts';
import type { Shop } from '../shop.ts';
import { findItem, type Item, listItems } from '../store/items.ts';
import { findPerson, type Person } from '../store/people.ts';
import { formId, idIn } from './form.ts';
import { type Html, html } from './html.ts';
import { page, sendPage } from './layout.ts';
import { personOf, requirePerson } from './session.ts';
import { dollars } from './words.ts';

export function serveBrowse(app: FastifyInstance, shop: Shop): void {
  app.get('/', (request, reply) => {
    const body = shelf(shop, listItems(shop.database));
    const person = personOf(shop, request);
    return sendPage(reply, page(shop, person, { title: 'Browse', active: 'browse', body }));
  });
  app.get<{ Params: { id: string } }>('/items/:id', (request, reply) => {
    const item = findItem(shop.database, request.params.id) ?? notFound();
    const person = personOf(shop, request);
    const body = itemPage(shop, item, person);
    return sendPage(reply, page(shop, person, { title: item.title, active: 'browse', body }));
  });
  app.post<{ Params: { id: string } }>('/items/:id/buy', async (request, reply) => {
    const item = findItem(shop.database, request.params.id) ?? notFound();
    const cart = idIn(request, 'cart');
    await buy(shop, requirePerson(shop, request), item, cart);
    // Should this process die here, the next start takes the checkout up again.
    continueCheckout(shop, cart).catch((error: unknown) =>
      process.stderr.write(`checkout ${cart}: ${String(error)}\n`),
    );
    return reply.redirect(`/orders/${cart}`, 303);
  });
}

function sellerOf({ database }: Shop, item: Item): string {
  return findPerson(database, item.seller)?.name ?? 'a seller';
}

function shelf(shop: Shop, items: readonly Item[]): Html {
  return html`
<section class="hero">
  <h1>Made by hand, paid for safely</h1>
  <p class="lead">Your money waits in escrow until you have what you bought, and like it.</p>
</section>
<ul class="shelf">${items.map(
    (item) => html`
  <li><a class="card item" href="/items/${item.id}">
    <img src="/assets/pictures/${item.picture}" alt="" width="400" height="300">
    <span class="about">
      <strong>${item.title}</strong>
      <span class="seller">by ${sellerOf(shop, item)}${item.milestones.length > 0 && ' · commission'}</span>
    </span>
    <span class="price">${dollars(item.price)}</span>
  </a></li>`,
  )}
</ul>`;
}

function itemPage(shop: Shop, item: Item, person: Person | undefined): Html {
  const seller = sellerOf(shop, item);
  return html`
<article class="thing">
  <img class="picture" src="/assets/pictures/${item.picture}" alt="${item.title}" width="400" height="300">
  <div>
    <h1>${item.title}</h1>
    <p class="seller">by ${seller}</p>
    <p class="big">${dollars(item.price)}</p>
    <p>${item.about}</p>
    ${item.milestones.length > 0 && parts(item)}
    ${buyForm(item, person)}
    <ol class="promise">
      <li><strong>You pay.</strong> The money goes into escrow, not to ${seller}.</li>
      <li><strong>${seller} delivers.</strong> The money stays in escrow in the meantime.</li>
      <li><strong>You approve.</strong> ${seller} is paid only after that. If something is wrong, support decides.</li>
    </ol>
  </div>
</article>`;
}

function parts({ milestones }: Item): Html {
  return html`
<dl class="facts">${milestones.map(
    ({ title, amount }, at) =>
      html`<div><dt>${at + 1}. ${title}</dt><dd>${dollars(amount)}</dd></div>`,
  )}</dl>`;
}

const ROLES: Readonly<Record<Person['role'], string>> = {
  buyer: 'a buyer',
  seller: 'a seller',
  support: 'a support agent',
};

function buyForm(item: Item, person: Person | undefined): Html {
  if (person === undefined) {
    return html`<p><a class="button" href="/sign-in">Sign in to buy</a></p>`;
  }
  if (person.role !== 'buyer') {
    return html`<p class="note">You are signed in as ${person.name}, ${ROLES[person.role]}. <a href="/sign-in">Sign in as a buyer</a> to buy this item.</p>`;
  }
  return html`
<form method="post" action="/items/${item.id}/buy">
  ${formId('cart')}
  <button class="button wide" data-busy="Reserving your money…">Buy for ${dollars(item.price)}</button>
  <p class="note">Available balance: ${dollars(person.available)}. <a href="/balance">Top up</a></p>
</form>`;
}
