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
    `Endpoints of Surface A are under \`${base}\`; those with the scope \`member\` are Surface B, at ` +
      'the root. Each operation links to its fields, an example, its events and its errors.',
    table(head, rows),
  );
}
