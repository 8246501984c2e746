//! Reads form fields one by one, and checks the format of each.
import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import { type Html, html } from './html.ts';

/**
 * One id for each form that is shown. It becomes the idempotency key of what the form starts, so
 * that sending it twice, by a double click or the browser's back button, does it once.
 */
export function formId(name = 'form'): Html {
  return html`<input type="hidden" name="${name}" value="${randomUUID()}">`;
}

function textOf(request: FastifyRequest, field: string): string {
  const body = request.body instanceof URLSearchParams ? request.body : undefined;
  return body?.get(field)?.trim() ?? '';
}

export function idIn(request: FastifyRequest, field = 'form'): string {
  const text = textOf(request, field);
  if (/^[0-9a-f-]{36}$/.test(text)) return text;
  throw new Refusal(400, 'This form is no longer valid. Reload the page and try again.');
}

/** Decimal text stays decimal text; Holdfast says whether it is an amount that it takes. */
export function amountIn(request: FastifyRequest, field = 'amount'): string {
  const text = textOf(request, field).replace(/^\$/, '');
  if (/^\d{1,9}(\.\d{1,2})?$/.test(text)) return text;
  throw new Refusal(400, 'Enter an amount such as 25 or 25.50.');
}

export function wordsIn(request: FastifyRequest, field: string, most = 500): string {
  return textOf(request, field).slice(0, most);
}

export function choiceIn<T extends string>(
  request: FastifyRequest,
  field: string,
  choices: readonly T[],
): T {
  const text = textOf(request, field);
  const found = choices.find((one) => one === text);
  if (found === undefined) throw new Refusal(400, 'Choose an option from the list.');
  return found;
}
