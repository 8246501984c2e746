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
    `Endpoints of Surface A are under \`${base}\`; those on the page [Members](api/members.md) are ` +
      'Surface B, at the root. Each operation links to its fields, an example, its events and its ' +
      'errors.',
    'Scope is the scope that a key needs (`any`: every valid key), or another credential: `master` ' +
      'the master key, `session` a signed-in operator, `operator` an operator with a role in the ' +
      "marketplace, `platform` a platform admin, `member` a member's token, `signature` a " +
      "provider's signature; `public` needs none. The column Operators lists the roles that may " +
      'make the call too.',
    table(head, rows),
  );
}
