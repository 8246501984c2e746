//! The home page, GET /: the current state of the sandbox, and forms to control it.
//!
//! The sections are rendered here for the first load and for every refresh (GET /control/state
//! with `accept: text/html`), so the page's own script only replaces them.
import type { ServerResponse } from 'node:http';
import type { WorldState } from '../control/state.ts';
import { FAULT_KINDS, FAULT_OPERATIONS } from '../faults.ts';
import { HOME_SCRIPT } from './home-script.ts';
import {
  accountList,
  contractList,
  faultList,
  journalList,
  payinList,
  payoutList,
  summary,
  webhookList,
} from './home-sections.ts';
import { HOME_STYLE } from './home-style.ts';
import { type Html, html, sendPage } from './html.ts';

const SECTIONS: readonly (readonly [id: string, render: (state: WorldState) => Html])[] = [
  ['summary', summary],
  ['payins', payinList],
  ['payouts', payoutList],
  ['contracts', contractList],
  ['accounts', accountList],
  ['webhooks', webhookList],
  ['faults', faultList],
  ['journal', journalList],
];

/** The parts that change, each under its own id. */
export function homeSections(state: WorldState): Html {
  return html`${SECTIONS.map(([id, render]) => live(id, render(state)))}`;
}

export function sendHome(response: ServerResponse, state: WorldState): undefined {
  sendPage(response, 200, {
    title: 'Holdfast sandbox',
    style: HOME_STYLE,
    body: body(state),
    script: HOME_SCRIPT,
  });
}

function body(state: WorldState): Html {
  return html`
<header class="top">
  <div>
    <h1>Holdfast sandbox</h1>
    <p>A simulated Stellar network, escrow provider and payment provider. Nothing here is real money.</p>
  </div>
  <p id="pulse" class="pulse" role="status">live</p>
</header>
${live('summary', summary(state))}
<main>
  <div class="column">
    ${card('Pay-ins', live('payins', payinList(state)))}
    ${card('Payouts', live('payouts', payoutList(state)))}
    ${card('Escrow contracts', live('contracts', contractList(state)))}
    ${card('Stellar accounts', live('accounts', accountList(state)))}
  </div>
  <div class="column">
    ${card('Clock', clockForm())}
    ${card('Faults', html`${live('faults', faultList(state))}${faultForm()}`)}
    ${card('Webhooks', live('webhooks', webhookList(state)))}
    ${card('Effects', live('journal', journalList(state)))}
    ${card('Reset', resetForm())}
  </div>
</main>
<p id="note" class="note" role="status" hidden></p>`;
}

function live(id: string, content: Html): Html {
  return html`<div id="${id}" data-live>${content}</div>`;
}

function card(title: string, content: Html): Html {
  return html`<section class="card"><h2>${title}</h2>${content}</section>`;
}

const STEPS: readonly (readonly [seconds: number, label: string])[] = [
  [60, '1 minute'],
  [3_600, '1 hour'],
  [86_400, '1 day'],
  [15 * 86_400, '15 days'],
];

function clockForm(): Html {
  return html`
<p class="hint">Advance the sandbox clock. It cannot be set back.</p>
<form method="post" action="/control/clock/advance" class="row">
  ${STEPS.map(([seconds, label]) => html`<button name="seconds" value="${seconds}">+ ${label}</button>`)}
</form>
<form method="post" action="/control/clock/advance" class="fields">
  <label>Seconds<input name="seconds" inputmode="numeric" pattern="[0-9]+" required value="300"></label>
  <button>Advance</button>
</form>`;
}

function faultForm(): Html {
  const operations = Object.entries(FAULT_OPERATIONS).map(
    ([provider, names]) => html`
    <optgroup label="${provider}">${names.map(
      (name) => html`<option value="${provider} ${name}">${provider} · ${name}</option>`,
    )}</optgroup>`,
  );
  const kinds = Object.entries(FAULT_KINDS).map(
    ([kind, meaning]) => html`<option value="${kind}">${kind}: ${meaning}</option>`,
  );
  return html`
<form method="post" action="/control/faults" class="fields">
  <label class="whole">Operation<select name="at">${operations}</select></label>
  <label class="whole">Fault<select name="kind">${kinds}</select></label>
  <label class="short">Times<input name="times" inputmode="numeric" pattern="[1-9][0-9]*" required value="1"></label>
  <button>Add fault</button>
</form>`;
}

function resetForm(): Html {
  return html`
<p class="hint">Deletes accounts, contracts, payments, faults and effects. Webhook targets stay.</p>
<form method="post" action="/control/reset" data-confirm="Delete all sandbox data?">
  <button class="danger">Reset sandbox</button>
</form>`;
}
