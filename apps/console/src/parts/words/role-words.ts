//! Names the roles that an action requires.
import type { OperatorRole } from '@holdfast/sdk';

const EITHER = new Intl.ListFormat('en-GB', { type: 'disjunction' });

/** As "Requires the support, finance or admin role". */
export function requiredRoles(roles: readonly OperatorRole[]): string {
  return `Requires the ${EITHER.format(roles)} role`;
}
