//! The effect of a request that another platform admin approves, one sentence per line.
import type { Marketplace, Operator } from '@holdfast/sdk';
import { grouped } from '#parts/money/cents.ts';
import { roleChanges, type WantedRole } from '#parts/words/membership-words.ts';

type Body = Readonly<Record<string, unknown>>;

export function rolesWords(
  { name, email, memberships }: Operator,
  body: Body,
  names: ReadonlyMap<string, string>,
): readonly string[] {
  const changes = roleChanges(memberships, rolesIn(body), names);
  return [
    `Operator: ${name} (${email}).`,
    ...(changes.length === 0 ? ['The operator has these roles already.'] : changes),
  ];
}

export function rolesIn({ memberships = [] }: Body): readonly WantedRole[] {
  return memberships as readonly WantedRole[];
}

export function enableWords({ name, memberships }: Operator): readonly string[] {
  const roles = memberships.map(({ marketplaceName, role }) => `${role} in ${marketplaceName}`);
  return [
    `${name} can sign in again with the existing password and two-factor secret.`,
    roles.length === 0 ? 'The operator has no roles.' : `Roles: ${roles.join(', ')}.`,
  ];
}

export function limitWords({ name, adjustmentLimit }: Marketplace, body: Body): readonly string[] {
  const { currency = '', limit } = body as { currency?: string; limit?: string | null };
  const now = (adjustmentLimit as Readonly<Record<string, string | null>> | null)?.[currency];
  return [
    `Increases the limit on manual credits and debits of ${name} to ${amountWords(limit, currency)}.`,
    now === undefined
      ? 'The default limit of the deployment applies now.'
      : `Now: ${amountWords(now, currency)}.`,
  ];
}

export function shareWords({ name }: Marketplace, body: Body): readonly string[] {
  const { asset = '', funded } = body as { asset?: string; funded?: string | null };
  return [`The addresses of ${name} may hold up to ${amountWords(funded, asset)} of the treasury.`];
}

export function capitalWords(body: Body): readonly string[] {
  const { amount = '', asset = '', location = '' } = body as Readonly<Record<string, string>>;
  const where = location === 'ledger_network' ? 'on the network' : 'at the payment provider';
  const verb = amount.startsWith('-') ? 'withdrew' : 'paid in';
  return [
    `Records that the owner ${verb} ${grouped(amount.replace(/^-/, ''))} ${asset} ${where}.`,
    'No money moves. The solvency reading counts it from now on.',
  ];
}

function amountWords(amount: string | null | undefined, currency: string): string {
  return amount === null || amount === undefined ? 'no limit' : `${grouped(amount)} ${currency}`;
}
