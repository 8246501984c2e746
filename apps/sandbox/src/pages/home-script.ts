//! The home page's script: refreshes every two seconds, and sends forms without leaving the page.
//!
//! Without it the page still works: forms lead back to it, and a reload shows the new state.

/** No template signs inside: this is JavaScript for a browser, kept as text. */
export const HOME_SCRIPT = `
'use strict';
const pulse = document.getElementById('pulse');
const note = document.getElementById('note');

async function look() {
  try {
    const response = await fetch('/control/state', { headers: { accept: 'text/html' } });
    if (!response.ok) throw new Error(String(response.status));
    show(await response.text());
    pulse.textContent = 'live';
    pulse.classList.remove('gone');
  } catch {
    pulse.textContent = 'not responding';
    pulse.classList.add('gone');
  }
}

/* Only what differs is replaced, and nothing under a finger or a cursor. */
function show(text) {
  const box = document.createElement('template');
  box.innerHTML = text;
  for (const part of box.content.querySelectorAll('[data-live]')) {
    const old = document.getElementById(part.id);
    const isBusy = old.contains(document.activeElement) || old.matches(':active');
    if (!isBusy && old.innerHTML !== part.innerHTML) old.replaceWith(part);
  }
}

function say(text, isBad) {
  note.textContent = text;
  note.classList.toggle('bad', isBad);
  note.hidden = false;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { note.hidden = true; }, 4000);
}

document.addEventListener('submit', async (event) => {
  const form = event.target;
  event.preventDefault();
  if (form.dataset.confirm && !confirm(form.dataset.confirm)) return;
  const method = form.dataset.method || 'POST';
  const fields = new URLSearchParams(new FormData(form, event.submitter));
  const body = method === 'POST' ? fields : undefined;
  try {
    const headers = { accept: 'application/json' };
    const response = await fetch(form.getAttribute('action'), { method, body, headers });
    const result = await response.json();
    say(response.ok ? 'Done.' : result.message, !response.ok);
  } catch {
    say('The sandbox does not respond.', true);
  }
  if (document.activeElement) document.activeElement.blur();
  look();
});

setInterval(() => { if (!document.hidden) look(); }, 2000);
document.addEventListener('visibilitychange', () => { if (!document.hidden) look(); });
`;
