//! The provider's users: every e-mail address has an account, unless its words say otherwise.
//!
//! Words in the part before the @ decide: `inactive`, `unverified`, `unknown` and `missing` (two
//! ways of not being found, since the vendor's own is not published), and for payouts `signup`
//! (waits for the recipient) and `fails`.
import { createHash } from 'node:crypto';
import { PaymentRefusal } from './errors.ts';
import type { Recipient } from './records.ts';

export function userView(email: string): object {
  const words = localPart(email);
  if (words.includes('unknown')) throw new PaymentRefusal('415059');
  if (words.includes('missing')) throw new PaymentRefusal('415902');
  const [firstName = '', ...others] = words.split(/[^\p{L}]+/u).filter((word) => word !== '');
  return {
    id: stableId(email.toLowerCase()),
    status: words.includes('inactive') ? 'inactive' : 'active',
    primaryEmail: true,
    firstName: capital(firstName) || 'Sandbox',
    lastName: others.map(capital).join(' ') || 'User',
    country: 'ARG',
    isVerified: !words.includes('unverified'),
  };
}

export function recipientOf(email: string): Recipient {
  return { email, userId: stableId(email.toLowerCase()) };
}

/** Whether the recipient's name holds one of the words. */
export function isNamed(recipient: Recipient, ...words: readonly string[]): boolean {
  const name = 'email' in recipient ? localPart(recipient.email) : recipient.bankRef.toLowerCase();
  return words.some((word) => name.includes(word));
}

/** The same text gives the same UUID, also in another world. */
export function stableId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = '89ab'.charAt('0123456789abcdef'.indexOf(hex.charAt(16)) % 4);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

function localPart(email: string): string {
  return email.slice(0, email.lastIndexOf('@')).toLowerCase();
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
