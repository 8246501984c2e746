//! Shows what is left for the buyer while the seller's part is typed. In whole cents, as always.

function cents(text) {
  const [, whole, part = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text.trim()) ?? [];
  return whole === undefined ? undefined : BigInt(whole + part.padEnd(2, '0'));
}

function show(form) {
  const input = form.elements.namedItem('toSeller');
  const whole = cents(form.dataset.split);
  const part = cents(input.value);
  const isRight = part !== undefined && part <= whole;
  input.setCustomValidity(
    isRight ? '' : `Enter an amount between $0.00 and $${form.dataset.split}`,
  );
  const rest = isRight ? (whole - part).toString().padStart(3, '0') : undefined;
  form.querySelector('output').textContent =
    rest === undefined ? '…' : `$${rest.slice(0, -2)}.${rest.slice(-2)}`;
}

document.addEventListener('input', ({ target }) => {
  const form = target.closest('[data-split]');
  if (form) show(form);
});
for (const when of ['DOMContentLoaded', 'live']) {
  document.addEventListener(when, () => document.querySelectorAll('[data-split]').forEach(show));
}
document.querySelectorAll('[data-split]').forEach(show);
