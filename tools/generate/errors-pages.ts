//! The reference of errors: a table of all, and a page for each with its cause and advice.
import { type Endpoint, errorsOf } from '@holdfast/contract/endpoint';
import { type ErrorCode, errors, statusOf, UNROUTED } from '@holdfast/contract/errors';
import { linkTo } from './api-pages.ts';
import * as envelope from './envelope.ts';
import { ADVICE, meaningOf, reservation } from './error-advice.ts';
import { ERROR_EXAMPLES } from './error-examples.ts';
import { code, collapsible, json, paragraphs, slugOf, table } from './markdown.ts';
import { pageExample } from './page-examples.ts';
import { plain, rowsOf } from './schema.ts';

const ERROR_CODES = Object.keys(errors) as ErrorCode[];

const RETRY = {
  never: ['No', 'The same request will be refused again.'],
  'after-fixing': [
    'After fixing',
    'Change the request, or the state of the resource, and send it again.',
  ],
  later: ['Later', 'Nothing was done; the same request may succeed later.'],
  'check-first': ['Check first', 'The outcome is unknown: read the resource before retrying.'],
} as const;

/** Its rule is `later`, but only its details show whether anything was done. */
const RETRY_INTERNAL = [
  'Check, then later',
  'The details show whether anything was done; the same request may succeed later.',
] as const;

const retryOf = (name: ErrorCode) =>
  name === 'INTERNAL_ERROR' ? RETRY_INTERNAL : RETRY[errors[name].retry];

/** More than this are behind a line to open them with. */
const SHOWN_MAX = 12;

export function errorsPage(endpoints: readonly Endpoint[]): string {
  const rows = ERROR_CODES.map((name) => [
    `[${code(name)}](errors/${slugOf(name)}.md)`,
    statusesOf(name, endpoints),
    retryOf(name)[0],
    meaningOf(name),
  ]);
  return paragraphs(
    '# Errors',
    'Branch on the code: messages are for people and may change. Surface A returns ' +
      '`{ error: { code, message, details? } }`; Surface B puts the message into its own envelope. ' +
      'Each code has a page with its cause and advice, which the header `Link` of the response ' +
      'names: `</docs/reference/errors/invalid_state/>; rel="help"`.',
    table(
      ['Retry', 'Meaning'],
      [...Object.values(RETRY), RETRY_INTERNAL].map(([word, description]) => [word, description]),
    ),
    table(['Code', 'Status', 'Retry', 'Meaning'], rows),
  );
}

/** The pages by their names below docs/reference. */
export function errorPages(endpoints: readonly Endpoint[]): [string, string][] {
  return ERROR_CODES.map((name) => [`errors/${slugOf(name)}.md`, errorPage(name, endpoints)]);
}

function errorPage(name: ErrorCode, endpoints: readonly Endpoint[]): string {
  const { message } = errors[name];
  const { cause, cure } = ADVICE[name];
  const [word, description] = retryOf(name);
  return paragraphs(
    `# ${name}`,
    message,
    ...reservation(name),
    table(
      ['Status', 'Retry', 'Details'],
      [[statusesOf(name, endpoints), `**${word}.** ${description}`, detailsOf(name)]],
    ),
    '## Why it happens',
    cause,
    '## What to do',
    cure,
    '## Example',
    exampleOf(name, endpoints),
    '## Endpoints',
    whereReturned(name, endpoints),
    '[All errors](../errors.md)',
  );
}

function detailsOf(name: ErrorCode): string {
  return rowsOf(errors[name].details)
    .map((field) => `${code(field.isRequired ? field.name : `${field.name}?`)} ${field.kind}`)
    .join('; ');
}

function exampleOf(name: ErrorCode, endpoints: readonly Endpoint[]): string {
  const row: { only?: 'b' } = errors[name];
  if (row.only === 'b') {
    const member = endpoints.find((one) => errorsOf(one).includes(name));
    return json(envelope.memberFailure(name, statusOf(name, member)));
  }
  const details = ERROR_EXAMPLES[name] ?? pageExample(plain(errors[name].details), '', 'filled');
  return json(envelope.failure(name, details));
}

function statusesOf(name: ErrorCode, endpoints: readonly Endpoint[]): string {
  const found = endpoints.filter((one) => errorsOf(one).includes(name));
  const statuses = new Set(
    found.length === 0 ? [statusOf(name)] : found.map((one) => statusOf(name, one)),
  );
  return [...statuses].sort((one, other) => one - other).join(', ');
}

function whereReturned(name: ErrorCode, endpoints: readonly Endpoint[]): string {
  if (UNROUTED.includes(name)) return 'None: no endpoint matched the request.';
  const found = endpoints.filter((one) => errorsOf(one).includes(name));
  if (found.length === endpoints.length) return 'Every endpoint.';
  const list = found.map((one) => `- ${linkTo(one)}`).join('\n');
  return found.length <= SHOWN_MAX ? list : collapsible(`${found.length} endpoints`, list);
}
