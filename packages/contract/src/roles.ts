//! Which operators may call which endpoint. An endpoint that no row opens is closed.
import { OPERATOR_ROLES } from '#enums';

export type OperatorRole = (typeof OPERATOR_ROLES)[number];

export const EVERY_ROLE: readonly OperatorRole[] = OPERATOR_ROLES;
/** Roles that talk to the parties: disputes, and orders that are stuck in one. */
export const SUPPORT: readonly OperatorRole[] = ['support', 'admin'];
/** Roles that are responsible for money. */
export const FINANCE: readonly OperatorRole[] = ['finance', 'admin'];
/** Roles for actions that query a provider again and move no money by themselves. */
export const ANY_ACTING: readonly OperatorRole[] = ['support', 'finance', 'admin'];
export const ADMIN: readonly OperatorRole[] = ['admin'];

interface Opened {
  readonly scope: string;
  readonly operators?: readonly OperatorRole[];
}

/** Every operator may read what a key may read; all else is open only as its row says. */
export function rolesOf({ scope, operators }: Opened): readonly OperatorRole[] {
  return operators ?? (scope === 'read' ? EVERY_ROLE : []);
}
