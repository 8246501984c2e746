//! The operators of a local set: one for each role in its marketplace, and a platform admin.
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
} as const;

export async function createOperators(post: Post, marketplaceId: string): Promise<LocalOperator[]> {
  const create = async (role: LocalOperator['role'], name: string): Promise<LocalOperator> => {
    const [first = ''] = name.toLowerCase().split(' ');
    const email = `${first}@holdfast.test`;
    const password = Buffer.from(randomBytes(12)).toString('base64url');
    const isPlatformAdmin = role === 'platform-admin';
    const memberships = isPlatformAdmin ? [] : [{ marketplaceId, role }];
    const created = await post('/operators', {
      email,
      name,
      password,
      isPlatformAdmin,
      memberships,
    });
    return { email, password, totpSecret: created['totpSecret'] as string, role };
  };
  const created: LocalOperator[] = [];
  // The admin first: that role sees every screen of the marketplace.
  for (const role of OPERATOR_ROLES.toReversed()) created.push(await create(role, NAMES[role]));
  for (const role of ['support', 'finance', 'admin'] as const)
    created.push(await create(role, SECONDS[role]));
  // Last: without a role in a marketplace the console has only operators to show.
  created.push(await create('platform-admin', NAMES['platform-admin']));
  return created;
}
