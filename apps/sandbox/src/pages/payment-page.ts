//! The hosted payment page, GET /payin/:id, and the actions of its two buttons.
//!
//! Plain forms, so that it works without scripts. Clients that do not accept HTML get JSON.
import type { IncomingMessage } from 'node:http';
import { centsText } from '../payment/cents.ts';
import { PaymentRefusal } from '../payment/errors.ts';
import { cancelPayin, confirmPayin, findPayin } from '../payment/payins.ts';
import type { Payin } from '../payment/records.ts';
import { runDue } from '../payment/timers.ts';
import { type Exchange, sendJson } from '../router.ts';
import type { World } from '../world.ts';
import { type Html, html, sendPage } from './html.ts';
import { PAY_STYLE } from './pay-style.ts';

const ACTIONS = { confirm: confirmPayin, cancel: cancelPayin } as const;

export function servePaymentPage(world: World): void {
  world.router.on('GET', '/payin/:id', (exchange) => {
    runDue(world);
    show(exchange, 200, findPayin(world, exchange.params['id'] ?? ''));
  });
  world.router.on('POST', '/payin/:id/confirm', (exchange) => press(world, exchange, 'confirm'));
  world.router.on('POST', '/payin/:id/cancel', (exchange) => press(world, exchange, 'cancel'));
}

function press(world: World, exchange: Exchange, button: keyof typeof ACTIONS): void {
  runDue(world);
  const payin = findPayin(world, exchange.params['id'] ?? '');
  if (payin === undefined) {
    show(exchange, 404, undefined);
    return;
  }
  try {
    leave(exchange, ACTIONS[button](world, payin), button);
  } catch (error) {
    if (!(error instanceof PaymentRefusal)) throw error;
    const { request, response } = exchange;
    if (wantsHtml(request)) show(exchange, error.status, payin);
    else sendJson(response, error.status, { status: payin.status, ...error.view() });
  }
}

function leave({ request, response }: Exchange, payin: Payin, button: keyof typeof ACTIONS): void {
  if (!wantsHtml(request)) {
    sendJson(response, 200, { status: payin.status });
    return;
  }
  const location = returnUri(payin, button === 'confirm' ? payin.confirmationUri : payin.cancelUri);
  response.writeHead(303, { location, 'cache-control': 'no-store' }).end();
}

function show({ request, response }: Exchange, status: number, payin: Payin | undefined): void {
  if (payin !== undefined) {
    sendPage(response, status, {
      title: `${TITLES[payin.status]} · ${dollars(payin.amount)}`,
      style: PAY_STYLE,
      body: frame(payin.status === 'CREATED' ? openCard(payin) : closedCard(payin)),
      ...(payin.status === 'PROCESSING' && { reloadIn: 2 }),
    });
  } else if (wantsHtml(request)) {
    const body = frame(notFound());
    sendPage(response, 404, { title: 'Payment not found', style: PAY_STYLE, body });
  } else sendJson(response, 404, new PaymentRefusal('415031').view());
}

const TITLES: Readonly<Record<Payin['status'], string>> = {
  CREATED: 'Pay',
  PROCESSING: 'Payment processing',
  CONFIRMED: 'Payment complete',
  REVERSED: 'Payment reversed',
  FAILED: 'Payment failed',
  CANCELED: 'Payment canceled',
};

const SENTENCES: Readonly<Record<Exclude<Payin['status'], 'CREATED'>, string>> = {
  PROCESSING: 'Your payment is being processed. This page refreshes automatically.',
  CONFIRMED: 'Your payment is complete. You can close this page.',
  REVERSED: 'Your bank has taken this payment back.',
  FAILED: 'Your payment was declined. You have not been charged.',
  CANCELED: 'This payment was canceled. You have not been charged.',
};

function openCard(payin: Payin): Html {
  const merchant = merchantOf(payin);
  return html`
<section class="sum">
  <p class="label">Pay ${merchant}</p>
  <h1>${dollars(payin.amount)} <small>USD</small></h1>
  <p class="what">${payin.description}</p>
</section>
${itemList(payin)}
${facts(payin)}
<div class="buttons">
  <form method="post" action="/payin/${payin.id}/confirm">
    <button class="primary">Pay ${dollars(payin.amount)}</button>
  </form>
  <form method="post" action="/payin/${payin.id}/cancel"><button>Cancel</button></form>
</div>
<p class="after">After payment you return to ${merchant}.</p>`;
}

/** One item that only repeats the description says nothing new. */
function itemList({ items, amount, description }: Payin): Html | undefined {
  if (items.length === 1 && items[0]?.description === description) return undefined;
  return html`
<ul class="items">${items.map(
    (item) => html`
  <li><span>${item.description}${item.quantity > 1n ? ` × ${item.quantity}` : ''}</span>
    <b>${dollars(item.amount * item.quantity)}</b></li>`,
  )}
  <li class="total"><span>Total</span><b>${dollars(amount)}</b></li>
</ul>`;
}

function closedCard(payin: Payin): Html {
  const { status, reason } = payin;
  const isDone = status === 'CONFIRMED' || status === 'PROCESSING';
  const back = returnUri(payin, isDone ? payin.confirmationUri : payin.cancelUri);
  const sentence = status === 'CREATED' ? '' : SENTENCES[status];
  return html`
<section class="sum closed ${status.toLowerCase()}">
  <div class="mark" aria-hidden="true">${MARKS[status] ?? ''}</div>
  <h1>${TITLES[status]}</h1>
  <p class="amount">${dollars(payin.amount)} USD</p>
  <p class="what">${payin.description}</p>
  <p class="reason">${sentence} ${reason?.description}</p>
</section>
${facts(payin)}
<div class="buttons"><a class="button primary" href="${back}">Back to ${merchantOf(payin)}</a></div>`;
}

const MARKS: Readonly<Partial<Record<Payin['status'], string>>> = {
  PROCESSING: '…',
  CONFIRMED: '✓',
  FAILED: '!',
  CANCELED: '×',
};

function facts({ code }: Payin): Html {
  return html`<dl class="facts"><dt>Reference</dt><dd>${code}</dd></dl>`;
}

function notFound(): Html {
  return html`
<section class="sum closed failed">
  <div class="mark" aria-hidden="true">?</div>
  <h1>Payment not found</h1>
  <p class="what">This payment link is not valid. Ask the shop for a new link.</p>
</section>`;
}

function frame(card: Html): Html {
  return html`
<header class="brand">
  <svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor"
    stroke-width="1.8" aria-hidden="true">
    <rect x="3.5" y="8.5" width="13" height="9" rx="2.2"/><path d="M6.5 8.5V6a3.5 3.5 0 0 1 7 0v2.5"/>
  </svg>
  <span>Sandbox Pay</span><em>Test mode</em>
</header>
<main class="card">${card}</main>
<footer>Test mode: no real money moves.</footer>`;
}

/** The vendor sends the browser back with the payin's code. That is no proof of payment. */
function returnUri({ code }: Payin, uri: string): string {
  const url = new URL(uri);
  url.searchParams.set('code', code);
  return url.href;
}

function merchantOf({ confirmationUri }: Payin): string {
  return new URL(confirmationUri).host;
}

function dollars(cents: bigint): string {
  return `$${centsText(cents).replace(/\B(?=(\d{3})+\.)/g, ',')}`;
}

/** Browsers accept HTML by name; every other client is a program. */
function wantsHtml({ headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') ?? false;
}
