//! The operators of a local set: some for each role in its marketplace, and two platform admins.
import { OPERATOR_ROLES } from '@holdfast/contract/enums';
import { randomBytes } from '@holdfast/kernel/random';

/** A login for the console. The secret is what an authenticator makes codes from. */
export interface LocalOperator {
  readonly email: string;
  readonly password: string;
  readonly totpSecret: string;
  readonly role: (typeof OPERATOR_ROLES)[number] | 'platform-admin';
}

type Post = (path: string, body: unknown) => Promise<Record<string, unknown>>;

export interface NewOperator {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  readonly isPlatformAdmin: boolean;
  readonly memberships: readonly { readonly marketplaceId: string; readonly role: string }[];
}

/** Returns the two-factor secret. */
export type CreateOperator = (operator: NewOperator) => Promise<string>;

const NAMES = {
  'platform-admin': 'Petra Platform',
  viewer: 'Vera Viewer',
  support: 'Sam Support',
  finance: 'Fiona Finance',
  admin: 'Adam Admin',
} as const;

/** Second approvers, for the roles that need one. */
const SECONDS = {
  support: 'Susan Support',
  finance: 'Felix Finance',
  admin: 'Anna Admin',
  'platform-admin': 'Paul Platform',
} as const;

/** At once, with a password: only development accepts it. */
export function withPassword(post: Post): CreateOperator {
  return async (operator) => String((await post('/operators', operator))['totpSecret']);
}

export async function createOperators(
  createOperator: CreateOperator,
  marketplaceId: string,
): Promise<LocalOperator[]> {
  const create = async (role: LocalOperator['role'], name: string): Promise<LocalOperator> => {
    const [first = ''] = name.toLowerCase().split(' ');
    const email = `${first}@holdfast.test`;
    const password = Buffer.from(randomBytes(12)).toString('base64url');
    const isPlatformAdmin = role === 'platform-admin';
    const memberships = isPlatformAdmin ? [] : [{ marketplaceId, role }];
    const operator = { email, name, password, isPlatformAdmin, memberships };
    return { email, password, totpSecret: await createOperator(operator), role };
  };
  const created: LocalOperator[] = [];
  // The admin first: that role sees every screen of the marketplace.
  for (const role of OPERATOR_ROLES.toReversed()) created.push(await create(role, NAMES[role]));
  for (const role of ['support', 'finance', 'admin'] as const)
    created.push(await create(role, SECONDS[role]));
  // Last: without a role in a marketplace the console has only operators to show. Once the second
  // one is active, the master key creates no more operators.
  created.push(await create('platform-admin', NAMES['platform-admin']));
  created.push(await create('platform-admin', SECONDS['platform-admin']));
  return created;
}
