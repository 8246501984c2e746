//! Keeps the page fresh: when the shop says that something has changed, the parts of the page that
//! are marked `data-live` are fetched again and put in place of the old ones. No framework.

const WAIT_MS = 80;
const announce = document.getElementById('announce');
let timer;
let running = false;
let again = false;

function soon() {
  clearTimeout(timer);
  timer = setTimeout(() => void refresh(), WAIT_MS);
}

async function refresh() {
  if (running) {
    again = true;
    return;
  }
  running = true;
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
    if (answer.ok && !answer.redirected) show(await answer.text());
  } catch {
    // The shop is away; its stream tells when it is back, and then we look again.
  }
  running = false;
  if (again) {
    again = false;
    soon();
  }
}

function show(text) {
  const fresh = new DOMParser().parseFromString(text, 'text/html');
  const changed = [];
  document.body.dataset.version = fresh.body.dataset.version;
  for (const old of document.querySelectorAll('[data-live]')) {
    const next = fresh.getElementById(old.id);
    if (!next || same(old, next) || isBeingUsed(old)) continue;
    const open = [...old.querySelectorAll('details')].map((one) => one.open);
    old.replaceWith(next);
    next.querySelectorAll('details').forEach((one, at) => {
      one.open = open[at] ?? false;
    });
    next.classList.add('changed');
    changed.push(next.dataset.live);
  }
  if (changed.length > 0) announce.textContent = `${changed.join(', ')}: updated.`;
  document.dispatchEvent(new Event('live'));
}

/** The ids of forms are new in every page and say nothing. */
function same(one, other) {
  const bare = (element) =>
    element.outerHTML.replace(/ class="[^"]*changed"| value="[0-9a-f-]{36}"| open=""/g, '');
  return bare(one) === bare(other);
}

/** Nobody likes it when the field that they are typing into is taken away. */
function isBeingUsed(element) {
  const { activeElement } = document;
  return element.contains(activeElement) && activeElement.matches('input, textarea, select');
}

// Each message names the version of what there is to see. The first comes at once, so nothing that
// happened while the page was loading, or while the line was down, is missed.
const stream = new EventSource('/live');
stream.addEventListener('changed', ({ data }) => {
  if (data !== document.body.dataset.version) soon();
});
addEventListener('pageshow', (event) => event.persisted && soon());

// A button that is at work says so, and takes no second click.
document.addEventListener('submit', ({ submitter }) => {
  if (!(submitter instanceof HTMLButtonElement) || !submitter.dataset.busy) return;
  submitter.textContent = submitter.dataset.busy;
  submitter.setAttribute('aria-busy', 'true');
  setTimeout(() => {
    submitter.disabled = true;
  });
});
