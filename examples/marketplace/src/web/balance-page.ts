//! The balance page: balances, top-ups and withdrawals, and the statement.
import type { Statement } from '@holdfast/sdk';
import { Money, money } from '@holdfast/sdk/money';
import type { Shop } from '../shop.ts';
import { type Payment, paymentsOf } from '../store/payments.ts';
import type { Person } from '../store/people.ts';
import { purchaseOfOrder, purchasesOf } from '../store/purchases.ts';
import { formId } from './form.ts';
import { type Html, html } from './html.ts';
import { badge, dollars, lineWords, paymentBadge, time } from './words.ts';

export function balancePage(shop: Shop, person: Person, statement: Statement | undefined): Html {
  const payments = paymentsOf(shop.database, person.id);
  return html`
<h1>Your balance</h1>
<div class="columns">
  <div>
    <section class="card purses" id="purses" data-live="Your balance">
      <div class="main"><span>Available</span><strong id="available">${dollars(person.available)}</strong></div>
      <div><span>Reserved</span><strong>${statement ? dollars(statement.closing.reserved) : '…'}</strong></div>
      <div><span>In escrow</span><strong>${dollars(inEscrow(shop, person))}</strong></div>
    </section>
    <section class="card"><h2>Top up</h2>${amountForm('topup', 'Continue to payment', '100.00')}
      <p class="note">You pay on our payment provider’s page. We never see your card details.</p></section>
    <section class="card"><h2>Withdraw</h2>${amountForm('withdraw', 'Withdraw', '20.00')}
      <p class="note">Paid to your payment account, ${person.email}.</p></section>
  </div>
  <div>
    <section class="card" id="payments" data-live="Payments">
      <h2>Top-ups and withdrawals</h2>
      ${
        payments.length === 0
          ? html`<p class="note">No top-ups or withdrawals yet.</p>`
          : html`<ul class="parts">${payments.map(paymentRow)}</ul>`
      }
    </section>
    <section class="card" id="statement" data-live="Statement">
      <h2>Statement</h2>
      ${statement ? lines(shop, statement) : html`<p class="note">The statement is not available right now. Reload the page in a moment.</p>`}
      <p><a href="/balance/statement.csv">Download as CSV</a></p>
    </section>
  </div>
</div>`;
}

/** Paid by this person and not yet paid out. */
function inEscrow({ database }: Shop, person: Person): string {
  const held = purchasesOf(database, person)
    .filter(({ buyer, status }) => buyer === person.id && HELD.includes(status))
    .map(({ amount }) => money(amount, 'USD'));
  return Money.sum(held, 'USD').toString();
}
const HELD: readonly string[] = [
  'IN_PROGRESS',
  'RELEASE_REQUESTED',
  'REFUND_REQUESTED',
  'DISPUTED',
];

function amountForm(name: 'topup' | 'withdraw', label: string, amount: string): Html {
  return html`
<form method="post" action="/balance/${name}" class="inline">
  ${formId()}
  <label for="${name}-amount">Amount in dollars</label>
  <input id="${name}-amount" name="amount" inputmode="decimal" pattern="\\d{1,9}(\\.\\d{1,2})?"
    value="${amount}" autocomplete="off" required>
  <button class="button" data-busy="One moment…">${label}</button>
</form>`;
}

function paymentRow(payment: Payment): Html {
  const isIn = payment.id.startsWith('topup_');
  return html`
<li><span>${isIn ? 'Top-up' : 'Withdrawal'} <span class="note">${time(payment.createdAt)}</span>
    ${payment.problem && html`<br><span class="note">${payment.problem}</span>`}
    ${next(payment)}</span>
  <span class="end">${badge(paymentBadge(payment))}
    <span class="price">${isIn ? '+' : '−'}${dollars(payment.amount)}</span></span></li>`;
}

function next({ id, status, payPage }: Payment): Html | undefined {
  if (status === 'TOPUP_AWAITING_USER_CONFIRMATION' && payPage !== null) {
    return html`<br><a href="${payPage}">Pay now</a>`;
  }
  if (status === 'WITHDRAWAL_CREATED') {
    return html`<form method="post" action="/balance/${id}/send"><button class="quiet">Send withdrawal</button></form>`;
  }
  return undefined;
}

function lines({ database }: Shop, { lines: all }: Statement): Html {
  if (all.length === 0) return html`<p class="note">No transactions yet.</p>`;
  const row = ({ at, kind, subjectId, change, balance }: Statement['lines'][number]) => {
    const title = subjectId === null ? undefined : purchaseOfOrder(database, subjectId)?.title;
    return html`
    <tr><td>${lineWords(kind)}${title && ` · ${title}`}<br><span class="note">${time(at)}</span></td>
      <td class="number">${changeOf(change)}</td><td class="number">${dollars(balance.available)}</td></tr>`;
  };
  return html`
<div class="scroll" tabindex="0" role="region" aria-label="Statement lines"><table>
  <thead><tr><th scope="col">Transaction</th><th scope="col" class="number">Change</th><th scope="col" class="number">Available</th></tr></thead>
  <tbody>${all.toReversed().map(row)}</tbody>
</table></div>`;
}

/** Money that was reserved before does not change the available balance. */
function changeOf(change: Statement['closing']): Html {
  return change.available === '0.00'
    ? html`<span class="note">${dollars(change.reserved)}<br>from the reserved balance</span>`
    : html`${dollars(change.available)}`;
}

/**
 * Takes the browser to the payment page, which is another site. A redirect would do too, if the
 * content security policy named that site as a target of forms; this way the policy names no
 * other site.
 */
export function leavingPage(payPage: string): Html {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Redirecting to payment · Driftwood</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="0; url=${payPage}">
<link rel="icon" href="/assets/logo.svg"><link rel="stylesheet" href="/assets/style.css"></head>
<body><main id="main"><section class="card narrow"><h1>One moment</h1>
<p>Redirecting to the payment page. <a href="${payPage}">Continue</a> if nothing happens.</p>
</section></main></body></html>`;
}
