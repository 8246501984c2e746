//! The layout of every page: head, navigation, footer.
import type { FastifyReply } from 'fastify';
import type { Shop } from '../shop.ts';
import type { Person } from '../store/people.ts';
import { type Html, html } from './html.ts';
import { dollars } from './words.ts';

interface Content {
  readonly title: string;
  readonly body: Html;
  readonly active?: 'browse' | 'orders' | 'balance' | 'support';
  /** A word in the address that says what has just happened; only known ones are shown. */
  readonly messageName?: string | undefined;
  /** Off for a page that responds to a form: its address can't be fetched again. */
  readonly isLive?: boolean;
}

/** By name and not by text: a link from elsewhere cannot put words into our mouth. */
const MESSAGES: Readonly<Record<string, string>> = {
  paying:
    'Thank you. Your balance is updated when the payment provider confirms the payment. You can leave this page.',
  'not-paid': 'The payment was canceled. You have not been charged.',
  requested: 'The payment provider has not confirmed yet. Your top-up appears below.',
  withdrawing: 'Thank you. Track your withdrawal below.',
};

export function page({ live }: Shop, person: Person | undefined, content: Content): Html {
  const { title, body, active, messageName, isLive = true } = content;
  const words =
    messageName !== undefined && Object.hasOwn(MESSAGES, messageName)
      ? MESSAGES[messageName]
      : undefined;
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title} · Driftwood</title>
  <link rel="icon" href="/assets/logo.svg">
  <link rel="stylesheet" href="/assets/style.css">
  ${person && isLive && html`<script src="/assets/live.js" type="module"></script>`}
</head>
<body data-version="${person && live.version(person.id)}">
  <a class="skip" href="#main">Skip to content</a>
  <header class="top">
    <div class="bar">
      <a class="brand" href="/"><img src="/assets/logo.svg" alt="" width="32" height="32">Driftwood</a>
      <nav aria-label="Main">${links(person).map(
        ([key, path, label]) =>
          html`<a href="${path}"${key === active && html` aria-current="page"`}>${label}</a>`,
      )}</nav>
      ${who(person)}
    </div>
  </header>
  <main id="main">
    ${words && html`<p class="message" role="status">${words}</p>`}
    ${body}
  </main>
  <footer><p>Driftwood is a demo. Your money waits in escrow until you have what you bought.</p></footer>
  <p id="announce" class="hidden" role="status"></p>
</body>
</html>`;
}

function links(person: Person | undefined): [Content['active'], string, string][] {
  const browse: [Content['active'], string, string] = ['browse', '/', 'Browse'];
  if (person === undefined) return [browse];
  if (person.role === 'support') return [browse, ['support', '/support', 'Disputes']];
  const orders = person.role === 'seller' ? 'My sales' : 'My orders';
  return [browse, ['orders', '/orders', orders], ['balance', '/balance', 'Balance']];
}

function who(person: Person | undefined): Html {
  if (person === undefined) {
    return html`<div class="who"><a class="button small" href="/sign-in">Sign in</a></div>`;
  }
  const balance = html`<a id="purse" class="purse" href="/balance" data-live="Your balance"><span
    class="hidden">Your balance: </span>${dollars(person.available)}</a>`;
  return html`<div class="who">
    ${person.role !== 'support' && balance}
    <a class="chip" href="/sign-in">${avatar(person)}<span class="hidden">Signed in as </span><span
      class="name">${person.name}</span><span class="hidden">: switch account</span></a>
  </div>`;
}

export function avatar({ id, name }: Pick<Person, 'id' | 'name'>): Html {
  return html`<span class="avatar ${id}" aria-hidden="true">${name.slice(0, 1)}</span>`;
}

export function sendPage(reply: FastifyReply, document: Html): FastifyReply {
  return reply.header('content-type', 'text/html; charset=utf-8').send(document.text);
}
