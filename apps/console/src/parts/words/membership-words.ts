//! Roles in marketplaces, in words: the present ones, and the changes to them.
import type { Membership, OperatorRole } from '@holdfast/sdk';

/** A role that the operator shall have; the name of its marketplace is looked up elsewhere. */
export interface WantedRole {
  readonly marketplaceId: string;
  readonly role: OperatorRole;
}

export interface NamedMarketplace {
  readonly id: string;
  readonly name: string;
}

const SHOWN_MAX = 2;
const TAIL = 6;

/** As "Garden: admin, Shop: viewer"; where there is little room, no more than two. */
export function membershipWords(memberships: readonly Membership[]): string {
  if (memberships.length === 0) return 'None';
  const shown = memberships.slice(0, SHOWN_MAX);
  const words = shown.map(({ marketplaceName, role }) => `${marketplaceName}: ${role}`).join(', ');
  const more = memberships.length - shown.length;
  return more === 0 ? words : `${words} and ${more} more`;
}

/** What a list may call each: its name, with the end of its id where another has the same. */
export function marketplaceNames(marketplaces: readonly NamedMarketplace[]): Map<string, string> {
  const counts = new Map<string, number>();
  for (const { name } of marketplaces) counts.set(name, (counts.get(name) ?? 0) + 1);
  const nameOf = ({ id, name }: NamedMarketplace) =>
    counts.get(name) === 1 ? name : `${name} (…${id.slice(-TAIL)})`;
  return new Map(marketplaces.map((one) => [one.id, nameOf(one)]));
}

/** One sentence for each role that is given, taken or exchanged. */
export function roleChanges(
  before: readonly WantedRole[],
  after: readonly WantedRole[],
  names: ReadonlyMap<string, string>,
): string[] {
  const had = new Map(before.map(({ marketplaceId, role }) => [marketplaceId, role]));
  const gets = new Map(after.map(({ marketplaceId, role }) => [marketplaceId, role]));
  return [...new Set([...had.keys(), ...gets.keys()])].flatMap((id) => {
    const [from, to] = [had.get(id), gets.get(id)];
    const where = names.get(id) ?? id;
    if (from === to) return [];
    if (to === undefined) return [`Removes the ${from} role in ${where}.`];
    if (from === undefined) return [`Assigns the ${to} role in ${where}.`];
    return [`Changes the role in ${where} from ${from} to ${to}.`];
  });
}
