//! The sections of the home page that change, each rendered from the state of the sandbox.
import type { WorldState } from '../control/state.ts';
import { type Html, html } from './html.ts';

export function summary({ clock, balance, counts, faults }: WorldState): Html {
  const ahead = clock.offsetMs === 0 ? 'same as system time' : `${duration(clock.offsetMs)} ahead`;
  return html`
<dl class="summary">
  <div class="wide"><dt>Sandbox clock</dt><dd>${clock.now.slice(0, 19).replace('T', ' ')}
    <small>UTC, ${ahead}</small></dd></div>
  <div class="wide"><dt>Balance at the payment provider</dt><dd>$${grouped(balance.available)}
    <small>$${grouped(balance.pending)} pending</small></dd></div>
  <div><dt>Contracts</dt><dd>${counts.contracts}</dd></div>
  <div><dt>Accounts</dt><dd>${counts.accounts}</dd></div>
  <div><dt>Effects</dt><dd>${counts.journal}</dd></div>
  <div><dt>Active faults</dt><dd>${faults.length}</dd></div>
</dl>`;
}

export function payinList({ payins, counts }: WorldState): Html {
  return list(payins, counts.payins, 'No pay-ins yet.', (payin) => {
    const page = html`<a href="/payin/${payin.id}">${
      payin.status === 'CREATED' ? 'Open payment page' : 'View'
    }</a>`;
    return line({
      name: html`${payin.code}`,
      meta: html`${clockTime(payin.createdAt)} · ${page}`,
      amount: `$${grouped(payin.amount)}`,
      pill: pill(payin.status),
    });
  });
}

export function payoutList({ payouts, counts }: WorldState): Html {
  return list(payouts, counts.payouts, 'No payouts yet.', (payout) =>
    line({
      name: html`${payout.code ?? payout.id}`,
      meta: html`${clockTime(payout.createdAt)} · to ${payout.to}${
        payout.reason === null ? '' : ` · ${payout.reason}`
      }${payout.outcome === null ? '' : ` · will be ${payout.outcome} once committed`}`,
      amount: `$${grouped(payout.amount)}`,
      pill: pill(payout.status),
      actions: OPEN_PAYOUTS.includes(payout.status)
        ? html`
<form method="post" action="/control/payouts/${encodeURIComponent(payout.code ?? payout.id)}" class="row">
  <button class="small" name="status" value="COMPLETED">Complete</button>
  <button class="small" name="status" value="FAILED">Fail</button>
</form>`
        : undefined,
    }),
  );
}

const OPEN_PAYOUTS: readonly string[] = ['CREATED', 'COMMITTED', 'PENDING', 'PENDING_USER_ACTION'];

export function contractList({ contracts, counts }: WorldState): Html {
  return list(contracts, counts.contracts, 'No contracts yet.', (contract) => {
    const flags = Object.entries(contract.flags).filter(([, isSet]) => isSet);
    const isMulti = contract.type === 'multi-release';
    const milestones = contract.milestones.map(({ description, amount, status, ...rest }) => {
      const marks = Object.entries(rest.flags).filter(([, isSet]) => isSet);
      const shown = [...(rest.approved ? ['approved'] : []), ...marks.map(([flag]) => flag)];
      return html`<li><span>${description}${isMulti ? ` · ${grouped(amount)}` : ''}</span>
        <span class="pills">${pill(status)}${shown.map((mark) => pill(mark))}</span></li>`;
    });
    return line({
      name: html`${contract.orderId}`,
      meta: html`<abbr title="${contract.contractId}">${short(contract.contractId)}</abbr>
        · ${contract.title} · ${contract.type}`,
      amount: `${grouped(contract.balance)} of ${grouped(contract.total)} USDC`,
      pill: html`${flags.map(([flag]) => pill(flag))}`,
      actions: html`<ul class="milestones">${milestones}</ul>`,
    });
  });
}

export function accountList({ accounts, counts }: WorldState): Html {
  return list(accounts, counts.accounts, 'No accounts yet.', (account) =>
    line({
      name: html`<abbr title="${account.address}">${short(account.address)}</abbr>${
        account.name === null ? '' : ` · ${account.name}`
      }`,
      meta: html`${grouped(account.xlm)} XLM`,
      amount: account.usdc === null ? 'no trustline' : `${grouped(account.usdc)} USDC`,
    }),
  );
}

export function webhookList({ webhooks, counts }: WorldState): Html {
  return list(webhooks, counts.webhooks, 'No webhooks yet.', (webhook) =>
    line({
      name: html`${webhook.type}`,
      meta: html`${clockTime(webhook.createdAt)} · ${webhook.provider} · ${plural(
        webhook.attempts,
        'attempt',
      )}${webhook.last === null ? '' : ` · ${webhook.last}`}`,
      pill: pill(webhook.status),
    }),
  );
}

export function faultList({ faults }: WorldState): Html {
  const shown = list(faults, faults.length, 'No active faults. Add one below.', (fault) =>
    line({
      name: html`${fault.provider} · ${fault.operation}`,
      meta: html`${plural(fault.times, 'time')} more`,
      pill: pill(fault.kind),
    }),
  );
  if (faults.length === 0) return shown;
  return html`${shown}
<form method="post" action="/control/faults" data-method="DELETE"><button>Clear all faults</button></form>`;
}

export function journalList({ journal, counts }: WorldState): Html {
  return list(
    journal,
    counts.journal,
    'Nothing yet. Effects of calls to the providers and the network appear here.',
    (entry) => {
      const about = entry.code ?? entry.orderId ?? entry.contractId ?? entry.to ?? '';
      return line({
        name: html`${entry.effect}`,
        meta: html`#${entry.seq} · ${clockTime(entry.at)} · ${short(about)}`,
        amount: entry.amount === undefined ? '' : grouped(entry.amount),
      });
    },
  );
}

interface Line {
  readonly name: Html;
  readonly meta: Html;
  readonly amount?: string;
  readonly pill?: Html;
  readonly actions?: Html | undefined;
}

function line({ name, meta, amount, pill: status, actions }: Line): Html {
  return html`<li class="line"><div class="what"><b>${name}</b><span>${meta}</span></div>
<div class="side">${amount ? html`<b>${amount}</b>` : undefined}${status}</div>${
    actions && html`<div class="actions">${actions}</div>`
  }</li>`;
}

function list<T>(
  shown: readonly T[],
  total: number,
  empty: string,
  render: (item: T) => Html,
): Html {
  if (shown.length === 0) return html`<p class="hint">${empty}</p>`;
  const rest = total - shown.length;
  return html`<ul class="list">${shown.map(render)}</ul>${
    rest > 0 ? html`<p class="hint">and ${rest} older</p>` : undefined
  }`;
}

const GOOD = ['CONFIRMED', 'COMPLETED', 'delivered', 'released', 'resolved', 'approved'];
const BAD = ['FAILED', 'failed', 'lost', 'disputed'];
const WAITING = ['PROCESSING', 'PENDING', 'PENDING_USER_ACTION', 'COMMITTED', 'pending', 'held'];

function pill(status: string): Html {
  const tones = { good: GOOD, bad: BAD, wait: WAITING };
  const tone = Object.entries(tones).find(([, names]) => names.includes(status))?.[0] ?? 'calm';
  return html`<span class="pill ${tone}">${status.toLowerCase().replaceAll('_', ' ')}</span>`;
}

function short(name: string): string {
  return name.length > 34 ? `${name.slice(0, 8)}…${name.slice(-6)}` : name;
}

function clockTime(at: string): string {
  return at.slice(11, 19);
}

function grouped(amount: string): string {
  const [whole = '', fraction] = amount.split('.');
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function duration(ms: number): string {
  const units: readonly (readonly [number, string])[] = [
    [86_400_000, 'day'],
    [3_600_000, 'hour'],
    [60_000, 'minute'],
    [1_000, 'second'],
  ];
  const [size, name] = units.find(([unit]) => ms >= unit) ?? [1_000, 'second'];
  return plural(Math.round(ms / size), name);
}
