//! The operators of a local set: a platform admin, and one for each role in its marketplace.
import { OPERATOR_ROLES } from '@holdfast/contract/words';
import { randomBytes } from '@holdfast/kernel/random';

/** Somebody to sign in as. The secret is what an authenticator makes codes from. */
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

/** A second one for whom a second person is needed. */
const SECONDS = { support: 'Susan Support', finance: 'Felix Finance' } as const;

export async function makeOperators(post: Post, marketplaceId: string): Promise<LocalOperator[]> {
  const make = async (role: LocalOperator['role'], name: string): Promise<LocalOperator> => {
    const [first = ''] = name.toLowerCase().split(' ');
    const email = `${first}@holdfast.test`;
    const password = Buffer.from(randomBytes(12)).toString('base64url');
    const isPlatformAdmin = role === 'platform-admin';
    const memberships = isPlatformAdmin ? [] : [{ marketplaceId, role }];
    const made = await post('/operators', { email, name, password, isPlatformAdmin, memberships });
    return { email, password, totpSecret: made['totpSecret'] as string, role };
  };
  const made = [await make('platform-admin', NAMES['platform-admin'])];
  for (const role of OPERATOR_ROLES) made.push(await make(role, NAMES[role]));
  made.push(await make('support', SECONDS.support), await make('finance', SECONDS.finance));
  return made;
}
