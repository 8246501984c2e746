//! Which operators may call which endpoint. What no row opens is closed.
import { OPERATOR_ROLES } from '#words';

export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export const EVERY_ROLE: readonly OperatorRole[] = OPERATOR_ROLES;
/** Whoever talks to the parties: disputes, and orders that are stuck in one. */
export const SUPPORT: readonly OperatorRole[] = ['support', 'admin'];
/** Whoever answers for the money. */
export const FINANCE: readonly OperatorRole[] = ['finance', 'admin'];
/** What asks a provider again and moves nothing by itself. */
export const ANY_ACTING: readonly OperatorRole[] = ['support', 'finance', 'admin'];
export const ADMIN: readonly OperatorRole[] = ['admin'];

interface Opened {
  readonly scope: string;
  readonly operators?: readonly OperatorRole[];
}

/** Whatever a key may read every operator may read; all else only as its row says. */
export function rolesOf({ scope, operators }: Opened): readonly OperatorRole[] {
  return operators ?? (scope === 'read' ? EVERY_ROLE : []);
}
