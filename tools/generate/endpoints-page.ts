//! Every endpoint in one table, with a link to its description.
import { APPROVAL_PENDING_STATUS, type Endpoint } from '@holdfast/contract/endpoint';
import { rolesCell } from './access.ts';
import { anchorOf, code, paragraphs, table, titleOf } from './markdown.ts';
import { resourceOf } from './resources.ts';

export function endpointsPage(endpoints: readonly Endpoint[], base: string): string {
  const rows = endpoints.map((one) => [
    one.method,
    code(one.path),
    `[${code(one.id)}](api/${resourceOf(one).slug}.md#${anchorOf(titleOf(one.id))})`,
    one.master && one.scope !== 'master' ? `${one.scope}, or master` : one.scope,
    rolesCell(one),
    one.idempotent ? 'yes' : 'no',
    [one.success.status, one.success.also ?? [], one.secondApprover ? APPROVAL_PENDING_STATUS : []]
      .flat()
      .join(', '),
  ]);
  const head = ['Method', 'Path', 'Operation', 'Scope', 'Operators', 'Idempotency-Key', 'Success'];
  return paragraphs(
    '# Endpoints',
    `Those of Surface A lie below \`${base}\`; those with the scope \`member\` are Surface B, at the root. ` +
      'The page of each has its fields, an example, its events and its errors. Every endpoint also ' +
      'returns the errors of its kind: `VALIDATION_ERROR` where it takes ' +
      'anything, `UNAUTHORIZED` and `INSUFFICIENT_SCOPE` where it needs a key, `CSRF_REQUIRED`, ' +
      '`OPERATOR_ROLE_REQUIRED`, `MARKETPLACE_REQUIRED` and `REASON_REQUIRED` where an operator ' +
      'calls, the two ' +
      '`IDEMPOTENCY_KEY_` errors where it honours one, `PAYLOAD_TOO_LARGE` and ' +
      '`UNSUPPORTED_MEDIA_TYPE` where it takes a body, and `RATE_LIMITED`, `INTERNAL_ERROR` and ' +
      '`SERVICE_UNAVAILABLE` always.',
    table(head, rows),
  );
}
