//! The home page's script: looks every two seconds, and sends forms without leaving the page.
//!
//! Without it the page still works: forms lead back to it, and loading it again shows what is new.

/** No template signs inside: this is JavaScript for a browser, kept as text. */
export const HOME_SCRIPT = `
'use strict';
const pulse = document.getElementById('pulse');
const note = document.getElementById('note');

async function look() {
  try {
    const answer = await fetch('/control/state', { headers: { accept: 'text/html' } });
    if (!answer.ok) throw new Error(String(answer.status));
    show(await answer.text());
    pulse.textContent = 'live';
    pulse.classList.remove('gone');
  } catch {
    pulse.textContent = 'not answering';
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
  if (form.dataset.ask && !confirm(form.dataset.ask)) return;
  const method = form.dataset.method || 'POST';
  const fields = new URLSearchParams(new FormData(form, event.submitter));
  const body = method === 'POST' ? fields : undefined;
  try {
    const headers = { accept: 'application/json' };
    const answer = await fetch(form.getAttribute('action'), { method, body, headers });
    const told = await answer.json();
    say(answer.ok ? 'Done.' : told.message, !answer.ok);
  } catch {
    say('The sandbox does not answer.', true);
  }
  if (document.activeElement) document.activeElement.blur();
  look();
});

setInterval(() => { if (!document.hidden) look(); }, 2000);
document.addEventListener('visibilitychange', () => { if (!document.hidden) look(); });
`;
