//! The signed-in person: a name in a signed cookie.
//!
//! The demo has no passwords: any visitor may choose any person. A browser still cannot make such
//! a cookie itself, so all the rules about the owner of an order hold.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../refusal.ts';
import type { Shop } from '../shop.ts';
import { findPerson, type Person } from '../store/people.ts';
import { cookieSecret } from '../store/settings.ts';

const NAME = 'driftwood';

function signed(shop: Shop, person: string): string {
  return createHmac('sha256', cookieSecret(shop.database)).update(person).digest('base64url');
}

export function signIn(shop: Shop, reply: FastifyReply, person: Person): void {
  setCookie(shop, reply, `${person.id}.${signed(shop, person.id)}`);
}

export function signOut(shop: Shop, reply: FastifyReply): void {
  setCookie(shop, reply, '; Max-Age=0');
}

/** Lax and not Strict: people come back from the payment page, which is another site. */
function setCookie({ config }: Shop, reply: FastifyReply, value: string): void {
  const secure = config.publicUrl.startsWith('https:') ? '; Secure' : '';
  void reply.header('set-cookie', `${NAME}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}`);
}

export function personOf(shop: Shop, request: FastifyRequest): Person | undefined {
  const cookie = request.headers.cookie?.split('; ').find((one) => one.startsWith(`${NAME}=`));
  const [person = '', signature = ''] = cookie?.slice(NAME.length + 1).split('.') ?? [];
  const given = Buffer.from(signature);
  const expected = Buffer.from(signed(shop, person));
  const isReal = given.length === expected.length && timingSafeEqual(given, expected);
  return isReal ? findPerson(shop.database, person) : undefined;
}

/** For pages and actions that need a signed-in person. */
export function requirePerson(shop: Shop, request: FastifyRequest): Person {
  return personOf(shop, request) ?? refuseAnonymous();
}

function refuseAnonymous(): never {
  throw new Refusal(403, 'Sign in first.');
}
